"""What is said in English in the rest of the program, in French: each text with its counterpart."""
