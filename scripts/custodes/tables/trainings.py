"""What says which model a row of the image branch is about, and the curves of its training.

Curves have one row per line of progress of a training, the divergence of each latent as a list.
"""

import pyarrow as pa

MODEL = {
    "dataset": "string",
    "source": "string",
    "model": "string",
    "setting": "int64",
    "restart": "int64",
}
CLASS = ("dataset", "source", "model")  # shared by the models of one class
RUN = ("model", "setting", "restart")  # tells the models of one data set apart
CURVES = MODEL | {
    "step": "int64",
    "loss": "float64",
    "reconstruction": "float64",
    "kl": "float64",
    "kl_per_latent": pa.list_(pa.float64()),
}
