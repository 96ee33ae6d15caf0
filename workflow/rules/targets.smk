"""Functions that name what the study makes, for the inputs of rules; they ask for a rule when they are called."""

import re

from custodes.study import image_figures
from custodes.study.ranges import ranges
from custodes.study.yaml_files import meant


def tables():
    """All tables of the study."""
    return [path for protocol in STUDY.protocols for path in tables_under(protocol)]


def tables_under(protocol, experiments=None):
    """Tables of a protocol: of the experiments that it has cells of, all or those that are named."""
    present = [name for name in STUDY.experiments_of(protocol) if experiments is None or name in experiments]
    return expand(rules.aggregate_scores.output.table, protocol=protocol, experiment=present)


def verdicts_of_experiments():
    """Verdicts on the scores of the experiments that name cells of properties."""
    return [
        path
        for protocol in STUDY.protocols
        for path in expand(
            rules.judge_experiment.output.verdicts,
            protocol=protocol,
            experiment=[name for name in STUDY.judging_of if name in STUDY.experiments_of(protocol)],
        )
    ]


def figures(**properties):
    """Figures with these properties (such as placement="main"), all of them by default."""
    chosen = set(STUDY.selected_figures(**properties))
    across = [name for name in ACROSS_PROTOCOLS if name in chosen]
    return [
        path
        for protocol in STUDY.protocols
        for path in expand(
            rules.draw_figure.output,
            protocol=protocol,
            figure=[name for name in STUDY.figures_of(protocol) if name in chosen],
        )
    ] + expand(rules.draw_comparison.output, figure=across)


def figures_named(figure):
    """The figure under every protocol that it is drawn for, or across protocols."""
    return [path for path in figures() if Path(path).stem == figure]


def add_nearest(record):
    """A filter of what Snakemake says: where there is no rule for a target, add the target that comes near."""
    missing = re.search(r"No rule to produce (.+) \(if you use input functions", record.getMessage())
    if missing:
        known = [*(rule.name for rule in workflow.rules), *tables(), *figures()]
        target = missing[1]
        record.msg = f"There is no target {target}{meant(target, known)} (snakemake --list names targets)"
        record.args = ()
    return True


def drawn_from(figure):
    """What a figure of one protocol is drawn from: tables of experiments, or their verdicts."""
    spec = STUDY.figures[figure]
    stage = (
        rules.judge_experiment.output.verdicts if spec["of_verdicts"] else rules.aggregate_scores.output.table
    )
    return expand(stage, experiment=spec["tables"], allow_missing=True)


def tables_of(figure):
    """Tables of all protocols that a figure names, those of the earlier protocol first."""
    spec = STUDY.figures[figure]
    return [path for protocol in spec["protocols"] for path in tables_under(protocol, spec["tables"])]


def pictures():
    """All figures in order: name, title, and where the picture is for each protocol or across them."""
    across = rules.draw_comparison.output.png
    return [
        {
            "name": name,
            "title": STUDY.figures[name]["title"],
            "paths": (
                {" and ".join(STUDY.figures[name]["protocols"]): expand(across, figure=name)[0]}
                if name in ACROSS_PROTOCOLS
                else {
                    protocol: expand(rules.draw_figure.output.png, protocol=protocol, figure=name)[0]
                    for protocol in STUDY.protocols
                    if name in STUDY.figures_of(protocol)
                }
            ),
        }
        for name in sorted(STUDY.figures, key=lambda name: (not name.startswith("fig"), name))
    ]


def reproducing():
    """{protocol: first seed of the published means} of the protocols that are compared with these."""
    given = {name: protocol.get("published_means") for name, protocol in STUDY.protocols.items()}
    return {name: means["first_seed"] for name, means in given.items() if means}


def comparison():
    """The tables of changes, and the check against the published means where their seeds are run."""
    with_seeds = [name for name, seed in reproducing().items() if seed == STUDY.config["first_seed"]]
    changes = expand(rules.tabulate_changes.output, figure=STUDY.selected_figures(kind="protocols"))
    return changes + expand(rules.verify_published.output, protocol=with_seeds)


def scores_of(protocol, experiment, variants=True):
    """Scores of an experiment under a protocol, with or without those of its variants."""
    names = STUDY.scorers(experiment) if variants else STUDY.metrics_of(experiment)
    return expand(
        rules.compute_metric.output.scores,
        protocol=protocol,
        experiment=experiment,
        dgp=STUDY.dgps(protocol, experiment),
        metric=names,
    )


def judged_scores(wildcards):
    """Scores, under one protocol, of the experiments by which properties are judged."""
    if not STUDY.judged():
        raise WorkflowError("no experiment of config/verdicts.yaml is in this study")
    return [
        path
        for experiment in STUDY.judged()
        for path in scores_of(wildcards.protocol, experiment, variants=False)
    ]


def swept_ranges():
    """Ranges of the paper's symbols over all cells of the study, by protocol."""
    columns = read_yaml(PAPER_TABLES)["symbols"]
    return {
        protocol: ranges(
            [cell for name in STUDY.experiments for cell in STUDY.cells(protocol, name)], columns
        )
        for protocol in STUDY.protocols
    }


def paper_tables():
    """The paper's tables, the third where there is something to judge by."""
    verdicts = rules.tabulate_verdicts.output if STUDY.judged() else []
    return [*rules.tabulate_symbols.output, *rules.tabulate_metrics.output, *verdicts]


def files_of_runs(runs, dataset, name):
    """One file of each run on a data set."""
    return [f"{IMAGES}/{dataset}/{model}/{setting}/{restart}/{name}" for model, setting, restart in runs]


def representations(dataset):
    """Codes of all models and encoders of one's own on a data set."""
    return files_of_runs(STUDY.images.runs(dataset), dataset, "codes.parquet")


def ranking_inputs(wildcards):
    """What a figure over all models of a data set is drawn from, by kind."""
    dataset, trained = wildcards.dataset, STUDY.images.trained()
    files = {
        "prepared": expand(rules.prepare_dataset.output, dataset=dataset),
        "codes": representations(dataset),
        "pairs": expand(rules.compare_representations.output.pairs, dataset=dataset, metric="udr"),
        "curves": files_of_runs(trained, dataset, "curves.parquet"),
        "pictures": files_of_runs(trained, dataset, "pictures.npz"),
    } | {kind: expand(path, dataset=dataset) for kind, path in rules.aggregate_images.output.items()}
    return {kind: files[kind] for kind in image_figures.RANKINGS[wildcards.ranking]}


def drawn_of_images(dataset):
    """Figures over the models of a data set, pictures of each, and figures of every setting's first restart."""
    rankings = image_figures.rankings(STUDY.images, dataset)
    pictures = files_of_runs(STUDY.images.trained(), dataset, "traversals.png")
    return [*expand(rules.draw_ranking.output, dataset=dataset, ranking=rankings), *pictures] + [
        path
        for model, setting, restart in image_figures.drawn(STUDY.images, dataset)
        for path in expand(
            rules.draw_representation.output,
            dataset=dataset,
            model=model,
            setting=setting,
            restart=restart,
        )
    ]


def images():
    """Everything that the study makes of image data sets."""
    return [
        *expand(rules.aggregate_images.output, dataset=STUDY.images.datasets),
        *(path for dataset in STUDY.images.datasets for path in drawn_of_images(dataset)),
    ]
