"""Just-in-time compilation: machine code made of a module by LLVM, kept, and called."""
