"""Image data sets, one package each."""

from custodes.registry import lazily

__getattr__, __dir__ = lazily("datasets")
