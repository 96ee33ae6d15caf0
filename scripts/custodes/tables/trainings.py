"""What says which model a row of the image branch is about, and the curves of its training."""

import pyarrow as pa

MODEL = {
    "dataset": pa.string(),
    "source": pa.string(),
    "model": pa.string(),
    "setting": pa.int64(),
    "restart": pa.int64(),
}
CURVES = MODEL | {
    "step": pa.int64(),
    "loss": pa.float64(),
    "reconstruction": pa.float64(),
    "kl": pa.float64(),
    "kl_per_latent": pa.list_(pa.float64()),
}
