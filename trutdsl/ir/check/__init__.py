"""Static checks of a program: unused and unreachable parts, and excessive size."""
