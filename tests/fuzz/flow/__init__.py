"""The information-flow check against random rules, in pairs of runs."""
