"""Encoders of known quality, one module each."""

from custodes.registry import lazily

__getattr__, __dir__ = lazily("encoders")
