"""Writes the vectors: cases by subject, expected values from the reference.

What matters most is stated by hand in the generators too (`wants`), so that a mistake of the
reference fails here instead of becoming an expectation.
"""
