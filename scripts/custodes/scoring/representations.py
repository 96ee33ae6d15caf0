"""Score every representation of one image data set with one metric."""

from custodes.images import prepared
from custodes.scoring import blocks
from custodes.tables.image_scores import COMPARISON
from custodes.tables.representations import REPRESENTATION, read_representation


def score_representations(
    metric,
    folder,
    paths_to_codes,
    parameters,
    permutations,
    seed,
    threads,
    paths_to_code,
    path_to_scores,
):
    """Write one row per representation and score.

    folder: of the prepared data set; factors are the classes of the encoded images. seed: of what the
    metric draws, the same for all representations. The rest as for `blocks.score_draws`.
    """
    classes = prepared.read(folder).classes
    found = [read_representation(path) for path in paths_to_codes]
    blocks.score_draws(
        metric,
        [blocks.Draw(one.labels, seed, None, classes[one.rows], one.z_hat) for one in found],
        parameters,
        permutations,
        threads,
        path_to_scores,
        paths_to_code,
        columns=REPRESENTATION | COMPARISON,
    )
