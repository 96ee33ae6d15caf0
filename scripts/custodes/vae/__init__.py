"""Variational autoencoders: networks, training, posteriors, pictures of what was learnt."""
