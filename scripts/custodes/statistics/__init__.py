"""Statistics that several metrics share: columns, folds, ranks, information, probes."""
