"""Benchmarks: how fast all is on this machine, each figure by the fastest of several parts."""
