"""The wheel, away from the checkout: what it holds, what it imports, and the README's example."""

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# What `pip install custodes` does not bring.
EXTRAS = ("snakemake", "torch", "tensorflow_datasets", "matplotlib", "h5py", "jsonschema", "ruamel", "jinja2")
BLOCKED = f"""
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {EXTRAS}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Missing())
"""

EVERY_ENTRY = """
import numpy as np
import custodes
from custodes import registry

rng = np.random.default_rng(0)
z = custodes.dgps.independent.sample(rng, 60, 3)
z_hat = custodes.encoders.elementwise_linear.encode(z, rng, 3)
discrete = np.stack(np.unravel_index(np.arange(60), (3, 4, 5)), axis=1).astype(float)
for kind in ("dgps", "encoders"):
    for name in registry.names(kind):
        getattr(getattr(custodes, kind), name)
for name in registry.names("metrics"):
    module = getattr(custodes.metrics, name)
    if hasattr(module, "score"):
        scores = module.score(discrete, discrete + 0.01 * z_hat, rng)
        print(name, *scores.values())
print(custodes.datasets.dsprites.render(np.zeros((1, 5), dtype=int)).shape)
print(custodes.__file__)
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A folder with the wheel's content, as pip leaves it in an environment."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    tracked = subprocess.run(
        ["git", "ls-files", "scripts/custodes", "pyproject.toml", "README.md", "LICENSE"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    for name in tracked:
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes((ROOT / name).read_bytes())
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--wheel-dir", folder, source], check=True, capture_output=True, cwd=folder)
    (wheel,) = folder.glob("*.whl")
    zipfile.ZipFile(wheel).extractall(folder / "site")
    return folder / "site"


def run(site, code, folder):
    environment = os.environ | {"PYTHONPATH": str(site)}
    command = [sys.executable, "-c", BLOCKED + code]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_holds_the_package_and_nothing_else(site):
    files = subprocess.run(
        ["git", "ls-files", "scripts/custodes"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    inside = {str(path.relative_to(site)) for path in (site / "custodes").rglob("*") if path.is_file()}
    assert inside == {name.removeprefix("scripts/") for name in files}
    assert {path.name.split("-")[0] for path in site.iterdir()} == {"custodes"}


def test_every_entry_works_without_the_extras(site, tmp_path):
    printed = run(site, EVERY_ENTRY, tmp_path)
    assert printed.count("\n") > 10
    assert "nan" not in printed
    assert str(site) in printed.splitlines()[-1]


def test_the_readmes_example_works_in_any_folder(site, tmp_path):
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    (example,) = (block for block in blocks if "print(" in block)
    (value,) = re.findall(r"'dci_disentanglement': ([0-9.]+)", run(site, example, tmp_path))
    assert float(value) > 0.98


def test_what_is_missing_is_said_by_name(site, tmp_path):
    code = "import custodes\ntry: custodes.metrics.dcii\nexcept AttributeError as error: print(error)\n"
    assert "no entry 'dcii'; it has beta_vae_score, dci," in run(site, code, tmp_path)
