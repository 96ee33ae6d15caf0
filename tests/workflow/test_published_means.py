"""Which protocols are compared with the published means: those that say so, whatever their name."""


def about_means(planned):
    return {message for message in planned if "published means" in message}


def test_a_protocol_is_compared_if_it_says_so_and_verified_where_its_seeds_are_run(fresh):
    compared = "Compare the published protocol with the published means"
    verified = "Verify the deterministic scores against the published means (published)"
    assert about_means(fresh.planned()) == {compared, verified}
    assert about_means(fresh.planned("--config", "first_seed=7")) == {compared}
    assert about_means(fresh.planned("--config", "protocols=corrected")) == set()


def test_the_name_of_the_protocol_is_of_no_account(fresh):
    protocols = fresh.path / "config" / "protocols"
    (protocols / "published.yaml").rename(protocols / "as_then.yaml")
    (fresh.path / "config/experiments/sizes_by_protocol.yaml").unlink()  # a figure of this protocol by name
    assert about_means(fresh.planned("--config", "protocols=as_then")) == {
        "Compare the as_then protocol with the published means",
        "Verify the deterministic scores against the published means (as_then)",
    }
