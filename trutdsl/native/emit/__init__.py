"""Code generation: each kind of node as LLVM's instructions, and what is remembered meanwhile."""
