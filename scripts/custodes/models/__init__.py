"""Classes of variational autoencoders: what each adds to the loss, one module each."""

from custodes.registry import lazily

__getattr__, __dir__ = lazily("models")
