"""Files of figures: equal figures give equal bytes, and a killed job leaves no half of one."""

from custodes.tables.files import replacing

UNDATED = {"pdf": {"CreationDate": None, "ModDate": None}, "png": {"Software": None}}


def write(figure, paths):
    """Write a figure to files that end in .pdf or .png, without dates."""
    for path in paths:
        with replacing(path) as temporary:
            figure.savefig(temporary, metadata=UNDATED[temporary.suffix[1:]], dpi=200)
