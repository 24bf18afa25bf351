"""Static checks of a program: what nothing uses, what nothing comes to, what is too much."""
