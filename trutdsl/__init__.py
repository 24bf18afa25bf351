"""A rules-variant language and tournament simulator for card games of the Trut and Truc family."""
