"""What the program shows and reads beside its code: icons, fonts, the model, samples, docs."""

from pathlib import Path

HERE = Path(__file__).parent


def docs_folder() -> Path:
    """Returns the folder of the documentation: what ships has it here, a source tree beside it."""
    shipped = HERE / "docs"
    return shipped if shipped.is_dir() else HERE.parent / "docs"


def docs_pages() -> list[str]:
    """Returns the names of all pages, such as "tutorial" or "clients/cursor"."""
    folder = docs_folder()
    pages = sorted(folder.rglob("*.md"))
    return [page.relative_to(folder).with_suffix("").as_posix() for page in pages]


def docs_page(name: str) -> str:
    """Returns a page's markdown. Its pictures and links are relative to the page's own folder.

    Raises LookupError where there is no such page, also for a name that leads out of the docs."""
    if name not in docs_pages():
        raise LookupError(f"There is no page {name!r} in the documentation.")
    return (docs_folder() / f"{name}.md").read_text("utf-8")
