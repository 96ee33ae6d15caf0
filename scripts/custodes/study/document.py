"""Write the tables of config/README.md from the schemas; with --check, fail when they are out of date."""

import sys

from custodes.sources import CHECKOUT
from custodes.study.yaml_files import read_yaml

README = CHECKOUT / "config" / "README.md"


def main(arguments):
    """Update the file, or (`--check`) compare and exit with a message."""
    written = README.read_text(encoding="utf-8")
    current = written
    for schema in sorted((CHECKOUT / "workflow" / "schemas").glob("*.schema.yaml")):
        name = schema.name.removesuffix(".schema.yaml")
        current = _replaced(current, name, _table(read_yaml(schema)))
    if arguments == ["--check"] and current != written:
        sys.exit("config/README.md is out of date: run PYTHONPATH=scripts python -m custodes.study.document")
    README.write_text(current, encoding="utf-8")


def _replaced(text, name, table):
    start, end = f"<!-- {name}: generated from the schema -->\n", f"<!-- end of {name} -->"
    before, rest = text.split(start)
    return f"{before}{start}\n{table}\n{rest[rest.index(end) :]}"


def _table(schema):
    rows = "\n".join(f"| {key} | {meaning} |" for key, meaning in _keys(schema, schema, ""))
    return f"| key | meaning |\n|---|---|\n{rows}\n"


def _keys(node, schema, prefix):
    """All keys below `node` with their descriptions, in the order of the schema."""
    node = _resolved(node, schema)
    required = node.get("required", [])
    entries = dict(node.get("properties", {}))
    entries |= {part["title"]: part for part in node.get("patternProperties", {}).values()}
    if isinstance(node.get("additionalProperties"), dict):
        entries["<name>"] = node["additionalProperties"]
    for key, part in entries.items():
        part = _resolved(part, schema)
        path = f"{prefix}.{key}" if prefix else key
        if "description" in part:
            note = "" if key in required else " Optional."
            yield f"`{path}`", part["description"] + _allowed(part) + note
        for inner in (part, part.get("items", {}), *part.get("anyOf", [])):
            if {"properties", "patternProperties"} & set(inner) or inner is part:
                yield from _keys(inner, schema, f"{path}[]" if inner is part.get("items") else path)


def _resolved(node, schema):
    if "$ref" in node:
        return schema["$defs"][node["$ref"].rsplit("/", 1)[1]]
    return node


def _allowed(part):
    return f" One of: {', '.join(map(str, part['enum']))}." if "enum" in part else ""


if __name__ == "__main__":
    main(sys.argv[1:])
