"""A run as a whole: provenance, progress, summary."""
