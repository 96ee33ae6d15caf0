"""Verdicts on scores by the four properties."""
