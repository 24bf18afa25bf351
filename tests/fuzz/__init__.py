"""Random whole programs: written, played in both engines in every form, and made small.

See README.md beside this file.
"""
