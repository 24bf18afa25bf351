"""Random games on what seats remember."""
