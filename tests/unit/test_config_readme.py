"""The tables of config/README.md are those of the schemas."""

import subprocess
import sys


def test_config_readme_is_generated_from_the_schemas():
    command = [sys.executable, "-m", "custodes.study.document", "--check"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
