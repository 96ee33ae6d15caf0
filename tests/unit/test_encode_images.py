"""Codes of images: of a trained model, and of a user's own encoder."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import torch

from custodes.images.image_set import open_images
from custodes.images.own_codes import import_codes
from custodes.tables.representations import Representation, read_representation, write_representation
from custodes.vae import minibatches, networks, posteriors
from custodes.vae.encoding import encode_images
from tests.unit.squares import squares

LABELS = {"dataset": "squares", "source": "rendered", "model": "beta_vae", "setting": 2, "restart": 0}
LABELS |= {"model_beta": 4.0}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Images and a network, untrained but with latents of different divergence."""
    folder = tmp_path_factory.mktemp("encode")
    np.save(folder / "images.npy", squares(50))
    network = networks.autoencoder("mlp", 1, 3, 16, 0)
    with torch.no_grad():
        network["encoder"][-1].weight[:3] *= 4
        network["encoder"][-1].bias += torch.tensor([0.0, 2.0, 0.0, 0.0, 0.0, -1.0])
    networks.save(folder / "weights.pt", network)
    return folder


def encoded(folder, count=None, seed=0, sample=False):
    path = folder / "codes.parquet"
    encode_images(
        open_images(folder / "images.npy"), 1, folder / "weights.pt", count, seed, sample, LABELS, path
    )
    return read_representation(path)


def expected_posterior(folder):
    network = networks.load(folder / "weights.pt")
    x = minibatches.convert(squares(50), 1, 32, torch.device("cpu"))
    with torch.no_grad():
        return networks.posterior(network, x)


@pytest.mark.parametrize("batch", [7, 1024])
def test_means_and_divergence_of_all_images(folder, batch, monkeypatch):
    monkeypatch.setattr(minibatches, "BATCH", batch)
    found = encoded(folder)
    mean, log_var = expected_posterior(folder)
    assert found.labels == LABELS | {"n": 50, "m": 3}
    assert found.rows.tolist() == list(range(50))
    assert found.z_hat.dtype == np.float32
    assert np.allclose(found.z_hat, mean.numpy(), atol=1e-6)
    assert found.kl_per_latent == pytest.approx(posteriors.kl_per_latent(mean, log_var).numpy(), rel=1e-5)
    assert found.z_sample is None


def test_a_subset_is_drawn_by_its_seed(folder):
    mean, _ = expected_posterior(folder)
    one, same, other = encoded(folder, 20), encoded(folder, 20), encoded(folder, 20, seed=1)
    assert np.array_equal(one.rows, same.rows)
    assert not np.array_equal(one.rows, other.rows)
    assert len(set(one.rows)) == 20
    assert (np.diff(one.rows) > 0).all()
    assert np.allclose(one.z_hat, mean.numpy()[one.rows], atol=1e-6)


def test_samples_are_of_the_posteriors_and_means_stay_means(folder):
    found = encoded(folder, sample=True)
    assert np.array_equal(found.z_hat, encoded(folder).z_hat)
    assert np.array_equal(found.z_sample, encoded(folder, sample=True).z_sample)
    _, log_var = expected_posterior(folder)
    noise = (found.z_sample - found.z_hat) / np.exp(log_var.numpy() / 2)
    assert abs(noise.mean()) < 0.25
    assert noise.std() == pytest.approx(1, abs=0.2)


def test_same_bytes_for_the_same_codes(folder):
    encoded(folder)
    before = (folder / "codes.parquet").read_bytes()
    encoded(folder)
    assert (folder / "codes.parquet").read_bytes() == before


@pytest.mark.parametrize("count", [0, 51])
def test_count_is_refused(folder, count):
    with pytest.raises(ValueError, match=f"count = {count}: .*at most the 50 images"):
        encoded(folder, count)


def test_codes_that_are_not_finite_are_refused(folder, tmp_path):
    network = networks.load(folder / "weights.pt")
    with torch.no_grad():
        network["encoder"][-1].bias[0] = torch.inf
    networks.save(tmp_path / "weights.pt", network)
    arguments = (None, 0, False, LABELS, tmp_path / "codes.parquet")
    with pytest.raises(ValueError, match="z_hat has entries that are not finite"):
        encode_images(open_images(folder / "images.npy"), 1, tmp_path / "weights.pt", *arguments)
    assert not (tmp_path / "codes.parquet").exists()


def test_representation_of_other_sizes_is_refused(tmp_path):
    codes = np.zeros((4, 2))
    with pytest.raises(ValueError, match=r"rows has shape \(3,\); \(4,\) is needed"):
        write_representation(tmp_path / "x", Representation(LABELS, np.arange(3), codes))
    wrong = Representation(LABELS, np.arange(4), codes, np.zeros(3))
    with pytest.raises(ValueError, match=r"kl_per_latent has shape \(3,\); \(2,\) is needed"):
        write_representation(tmp_path / "x", wrong)


CODES = np.random.default_rng(0).standard_normal((50, 3))


def write(path, codes, **others):
    """A user's file in the format of its suffix."""
    if path.suffix == ".npy":
        np.save(path, codes)
    elif path.suffix == ".npz":
        np.savez(path, codes=codes, **others)
    else:
        columns = {f"latent {index}": column for index, column in enumerate(codes.T)}
        pq.write_table(pa.table(columns | others), path)


def imported(path, kept=None):
    labels = {"dataset": "squares", "source": "rendered", "model": "my_encoder"}
    import_codes(path, 50, labels, path.with_name("codes.parquet"), kept)
    return read_representation(path.with_name("codes.parquet"))


@pytest.mark.parametrize("suffix", [".npy", ".npz", ".parquet"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64])
def test_user_s_codes_of_all_images(suffix, dtype, tmp_path):
    codes = (10 * CODES).astype(dtype)
    write(tmp_path / f"mine{suffix}", codes)
    found = imported(tmp_path / f"mine{suffix}")
    assert np.array_equal(found.z_hat, codes)
    assert found.rows.tolist() == list(range(50))
    assert found.labels["model"] == "my_encoder"
    assert found.kl_per_latent is None


@pytest.mark.parametrize("suffix", [".npz", ".parquet"])
def test_user_s_codes_of_some_images_are_put_in_order(suffix, tmp_path):
    rows = np.array([40, 3, 17])
    write(tmp_path / f"mine{suffix}", CODES[rows], rows=rows)
    found = imported(tmp_path / f"mine{suffix}")
    assert found.rows.tolist() == [3, 17, 40]
    assert np.array_equal(found.z_hat, CODES[[3, 17, 40]])


def test_user_s_codes_of_the_images_that_are_encoded(tmp_path):
    rows, kept = np.array([40, 3, 17]), np.array([3, 40])
    write(tmp_path / "mine.npz", CODES[rows], rows=rows)
    found = imported(tmp_path / "mine.npz", kept)
    assert found.rows.tolist() == [3, 40]
    assert np.array_equal(found.z_hat, CODES[kept])
    with pytest.raises(ValueError, match=r"mine.npz: lacks codes of 2 of the 3 images .* such as 4"):
        imported(tmp_path / "mine.npz", np.array([3, 4, 5]))


def test_user_s_divergences_are_kept(tmp_path):
    write(tmp_path / "mine.npz", CODES, kl_per_latent=np.array([1.0, 0.0, 2.0]))
    assert imported(tmp_path / "mine.npz").kl_per_latent.tolist() == [1, 0, 2]


HOLE = np.where(np.arange(150).reshape(50, 3) == 100, np.nan, CODES)
FAULTS = {
    "too few": ("npy", CODES[:49], {}, r"codes have shape \(49, 3\) for 50 images: give `rows`"),
    "swapped axes": ("npy", CODES.T, {}, r"codes have shape \(3, 50\) for 50 images: are the axes swapped"),
    "NaN": ("npy", HOLE, {}, "codes has the value nan in column 1, row 33"),
    "one dimension": ("npy", CODES[:, 0], {}, r"codes has shape \(50,\)"),
    "objects": ("npy", CODES.astype(object), {}, "Object arrays cannot be loaded"),
    "text": ("npy", CODES.astype(str), {}, "codes holds <U"),
    "unknown array": ("npz", CODES, {"kl": CODES[0]}, "has the arrays codes, kl; known: codes, rows"),
    "row twice": ("npz", CODES[:2], {"rows": np.array([1, 1])}, "rows name an image twice"),
    "row too large": ("npz", CODES[:2], {"rows": np.array([1, 50])}, "rows run from 1 to 50; .* 50 images"),
    "row below 0": ("parquet", CODES[:2], {"rows": np.array([-1, 5])}, "rows run from -1 to 5"),
    "rows are floats": ("npz", CODES[:2], {"rows": np.array([1.0, 2.0])}, "rows are float64 .*whole numbers"),
    "rows too short": ("npz", CODES[:2], {"rows": np.array([1])}, r"rows are int64 \(1,\); 2 whole numbers"),
    "divergences": ("npz", CODES, {"kl_per_latent": np.ones(2)}, "kl_per_latent has 2 values for 3 latents"),
    "missing value": ("parquet", CODES[:2], {"rows": [1, None]}, "column 'rows' has missing values"),
    "numbers of images": (
        "parquet",
        CODES,
        {"id": range(50)},
        "column 'id' is no latent: leave it out, or call it `rows`",
    ),
    "numbers of images in capitals": ("parquet", CODES, {"ID": range(50)}, "column 'ID' is no latent: leave"),
    "a saved index": ("parquet", CODES, {"Unnamed: 0": range(50)}, "column 'Unnamed: 0' is no latent: leave"),
    "an index": (
        "parquet",
        CODES,
        {"__index_level_0__": range(50)},
        "column '__index_level_0__' is no latent",
    ),
    "a count": ("parquet", CODES, {"n": np.arange(50.0)}, "column 'n' is no latent but counts the rows"),
    "a count from 1": ("parquet", CODES, {"n": range(1, 51)}, "column 'n' is no latent but counts the rows"),
    "a count down": (
        "npy",
        np.column_stack([CODES, np.arange(50)[::-1]]),
        {},
        "column 3 is no latent but cou",
    ),
    "rows twice": (
        "parquet",
        CODES[:4],
        {"rows": [9, 3, 7, 5], "number": [9, 3, 7, 5]},
        "column 'number' is no latent but the same as `rows`",
    ),
    "no codes": ("parquet", CODES[:2, :0], {"rows": [1, 2]}, "has no column of codes"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_of_a_user_s_file_are_named(fault, tmp_path):
    suffix, codes, others, message = FAULTS[fault]
    path = tmp_path / f"mine.{suffix}"
    write(path, codes, **others)
    with pytest.raises(ValueError, match=rf"mine\.{suffix}: {message}"):
        imported(path)
    assert not (tmp_path / "codes.parquet").exists()


@pytest.mark.parametrize("suffix", [".npy", ".npz", ".parquet"])
def test_a_file_of_another_kind_is_named(suffix, tmp_path):
    path = tmp_path / f"mine{suffix}"
    np.save(tmp_path / "array.npy", CODES)
    array = (tmp_path / "array.npy").read_bytes()
    for content in (b"PK\x03\x04 and no more", b"", b"hello", array[: 500 if suffix == ".npy" else None]):
        path.write_bytes(content)
        with pytest.raises(ValueError, match=f"mine{suffix}: ") as refused:
            imported(path)
        assert "pickle" not in str(refused.value)


def test_other_formats_and_missing_files(tmp_path):
    with pytest.raises(ValueError, match=r"mine.csv: must be one of .npy, .npz, .parquet"):
        imported(tmp_path / "mine.csv")
    with pytest.raises(FileNotFoundError, match=r"mine.npy: there is no such file"):
        imported(tmp_path / "mine.npy")
