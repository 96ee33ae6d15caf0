"""The paper's numbers and claims beside ours."""
