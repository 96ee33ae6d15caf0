#!/bin/sh
# Installs the lock with the build of PyTorch for this machine: install.sh <python of a virtual environment>
#
# Only PyTorch's own index has builds for every device, and only uv knows where it is and what this machine
# needs. Where it cannot be asked, pip takes PyTorch from wherever pip's settings say. The rest is the same.
set -eu

python=$1
uv=$(dirname "$python")/uv
envs=$(dirname "$0")
lock=$envs/requirements.txt
cuda_lock=$envs/requirements-cuda.txt

pinned() { grep "^$1==" "$lock"; }
with_pip() { "$python" -m pip install --quiet --disable-pip-version-check "$@"; }
with_uv() { "$uv" pip install --quiet --compile-bytecode --python "$python" "$@"; }

with_pip "$(pinned uv)"

# uv does not read pip's settings. These it has to follow; they may hold several lines.
settings=$("$python" -m pip config list)
setting() { printf '%s\n' "$settings" | sed -n "s/^[^=]*\.$1='\(.*\)'\$/\1/p"; }
index=$(setting index-url | head -n 1) # pip lists its environment variables first
constraints=$(setting constraint | tr '\n' ' ')
[ -z "$index" ] || export UV_DEFAULT_INDEX="${UV_DEFAULT_INDEX-$index}"
[ -z "$constraints" ] || export UV_CONSTRAINT="${UV_CONSTRAINT-} $constraints"
[ -z "$(setting no-index)" ] || export UV_OFFLINE=1

backend=--torch-backend=${UV_TORCH_BACKEND:-auto}
unset UV_TORCH_BACKEND
torch=$(pinned torch)
# Only the question has fewer retries, and uv's own limits for a slow answer; the download has all of them.
if (export UV_HTTP_RETRIES=1 && with_uv "$backend" --dry-run --no-deps "$torch" 2>/dev/null); then
  with_uv "$backend" --no-deps "$torch"
else
  echo "PyTorch's own index could not be asked: pip chooses the build of PyTorch"
  [ -e /proc/driver/nvidia/version ] || command -v nvidia-smi >/dev/null ||
    echo "There is no NVIDIA driver here, and pip may bring several GB of CUDA packages all the same"
  with_pip --constraint "$lock" --constraint "$cuda_lock" "$torch"
fi

locked_cuda=+$(sed -n 's/^cuda-toolkit==\([0-9]*\)\.\([0-9]*\).*/cu\1\2/p' "$cuda_lock")
build=$("$python" -c 'from importlib.metadata import version; print(version("torch"))')
case $build in
  *+cpu | *"$locked_cuda") backend= ;;
  *+*) cuda_lock=/dev/null ;; # for an older CUDA, or none: PyTorch pins what it needs, its own index may have it
  *) backend= ;;
esac

set -- --requirement "$lock" --constraint "$cuda_lock" "torch==$build"
with_uv ${backend:+"$backend"} "$@" || {
  echo "uv did not install the rest: pip does"
  with_pip "$@"
}
