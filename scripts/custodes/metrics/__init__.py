"""Metrics: from factors and codes to scores, one module or package each."""

from custodes.registry import lazily

__getattr__, __dir__ = lazily("metrics")
