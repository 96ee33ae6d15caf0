"""The files between the stages: their columns, how they are written and read."""
