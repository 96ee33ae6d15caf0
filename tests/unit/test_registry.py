"""The files that a job stands on."""

from textwrap import dedent

from custodes import sources


def test_sources_follow_imports_of_every_form(tmp_path, monkeypatch):
    monkeypatch.setattr(sources, "CHECKOUT", tmp_path)
    monkeypatch.setattr(sources, "PACKAGE", tmp_path / "scripts/custodes")
    sources._root.cache_clear()
    files = {
        "scripts/job.py": "from custodes.metrics import own, pack",
        "scripts/custodes/__init__.py": "",
        "scripts/custodes/metrics/__init__.py": "",
        "scripts/custodes/metrics/own.py": """
            from . import beside
            from .beside import x
            from ..shared.above import y
            import numpy, custodes.shared.plain
            def score():
                from custodes.shared import (
                    within,
                )
        """,
        "scripts/custodes/metrics/beside.py": """
            from custodes.shared import missing, one as two
            from custodes.metrics import own
        """,
        "scripts/custodes/metrics/pack/__init__.py": "from . import part\nfrom .part import f",
        "scripts/custodes/metrics/pack/part.py": "from .. import beside",
        "scripts/custodes/metrics/pack/unused.py": "",
        "scripts/custodes/shared/__init__.py": "",
        "scripts/custodes/shared/above.py": "",
        "scripts/custodes/shared/plain.py": "",
        "scripts/custodes/shared/within.py": "",
        "scripts/custodes/shared/one.py": "",
        "scripts/custodes/shared/other.py": "",
    }
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text))
    unused = {"scripts/custodes/shared/other.py", "scripts/custodes/metrics/pack/unused.py"}
    assert sources.sources("scripts/job.py") == sorted(files.keys() - unused)
    sources._root.cache_clear()
