"""What a configuration asks for: grids, experiments, figures, checked."""
