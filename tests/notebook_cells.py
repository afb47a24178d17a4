"""Run a notebook's cells one by one, as a notebook does, and tell as JSON what each of them shows.

``python notebook_cells.py NOTEBOOK``: for each cell of code what it prints, and the value of its last expression by the
first of the forms that a notebook asks for.
"""

import ast
import contextlib
import io
import json
import sys

FORMS = "_repr_html_", "_repr_svg_", "__repr__"


def shown(value):
    """A value as a notebook shows it, and in which form; nothing for None."""
    if value is None:
        return "", ""
    form = next(form for form in FORMS if hasattr(value, form))
    return form, getattr(value, form)()


def run_cell(source, names):
    """What a cell prints, and what its last expression shows."""
    body, last = ast.parse(source).body, None
    if body and isinstance(body[-1], ast.Expr):
        last = ast.Expression(body.pop().value)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(ast.Module(body, []), "cell", "exec"), names)
        value = eval(compile(last, "cell", "eval"), names) if last else None
        form, text = shown(value)
    return {"printed": printed.getvalue(), "form": form, "shown": text}


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        cells = json.load(file)["cells"]
    names = {"__name__": "__main__"}
    json.dump([run_cell("".join(cell["source"]), names) for cell in cells if cell["cell_type"] == "code"], sys.stdout)


if __name__ == "__main__":
    main()
