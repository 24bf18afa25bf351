"""Random small games on the proof that cards are alike."""
