"""Below the rules: one LLVM module, and the functions, numbers and tables that it is made of."""
