"""Figures of the image branch."""
