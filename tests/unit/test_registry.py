"""The registry: which files a module stands on."""

from textwrap import dedent

from scripts.core import registry


def test_sources_follow_imports_of_every_form(tmp_path, monkeypatch):
    monkeypatch.setattr(registry, "ROOT", tmp_path)
    files = {
        "scripts/metrics/own.py": """
            from . import beside
            from .beside import x
            from ..core.above import y
            import numpy, scripts.core.plain
            def score():
                from scripts.core import (
                    within,
                )
        """,
        "scripts/metrics/beside.py": """
            from scripts.core import missing, one as two
            from scripts.metrics import own
        """,
        "scripts/core/above.py": "",
        "scripts/core/plain.py": "",
        "scripts/core/within.py": "",
        "scripts/core/one.py": "",
        "scripts/core/other.py": "",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text))
    assert registry.sources("scripts.metrics.own") == sorted(files.keys() - {"scripts/core/other.py"})
