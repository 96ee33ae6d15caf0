"""Another package called custodes is installed, or lies on the user's path: the checkout's is used."""


def test_a_foreign_package_of_the_name_changes_nothing(fresh, tmp_path, monkeypatch):
    foreign = tmp_path / "elsewhere" / "custodes"
    foreign.mkdir(parents=True)
    (foreign / "__init__.py").write_text("raise ImportError('the foreign package was imported')\n")
    monkeypatch.setenv("PYTHONPATH", str(foreign.parent))
    fresh.snakemake("--cores", "1", "results/corrected/factors/sizes/independent.parquet")
    assert (fresh.path / "results/corrected/factors/sizes/independent.parquet").exists()
