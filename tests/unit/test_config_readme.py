"""The tables of config/README.md are those of the schemas."""

import subprocess
import sys

from custodes.sources import CHECKOUT


def test_config_readme_is_generated_from_the_schemas():
    script = CHECKOUT / "config" / "document.py"
    done = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
