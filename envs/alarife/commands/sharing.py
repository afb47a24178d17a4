"""``alarife hub``: policies of packages, folders and addresses."""

from __future__ import annotations

import argparse

from alarife import hub
from alarife.commands.arguments import Command, say
from alarife.commands.columns import print_columns
from alarife.players.policy_store import parse_wish


def add_commands(command: Command) -> None:
    """Add the command ``hub`` and its arguments."""
    group = command("hub", list_policies, "policies: what is here, and what a folder or an address offers")
    group.epilog = "example: alarife hub install https://example.org/policies.json strong@2; then --with hub:strong"
    group.set_defaults(source=None)
    parts = group.add_subparsers(title="what to do (default: list)", metavar="what")

    listed = parts.add_parser(
        "list", help="what is here, or what a place offers", description="what is here, or what a place offers"
    )
    listed.add_argument("source", nargs="?", help="a folder, or the https address of a policies.json")
    listed.set_defaults(run=list_policies)

    install = parts.add_parser(
        "install",
        help="check policies of a folder or an address, and keep them",
        description="check policies of a folder or an address, and keep them",
    )
    install.add_argument("source", help="a folder, or the https address of a policies.json")
    install.add_argument("names", nargs="*", metavar="name", help="name, name@version or name@version#digest")
    install.add_argument("--game", help="only those for this game")
    install.set_defaults(run=install_policies)

    remove = parts.add_parser(
        "remove", help="forget a policy that was installed", description="forget a policy that was installed"
    )
    remove.add_argument("name", help="name or name@version")
    remove.add_argument("--game", help="only that for this game")
    remove.set_defaults(run=remove_policies)

    index = parts.add_parser(
        "index",
        help="write the policies.json of a folder, to hand it on",
        description="write the policies.json of a folder, to hand it on",
    )
    index.add_argument("folder", help="where the policies lie")
    index.add_argument("name", help="name@version of all policies in it, one for each game")
    index.add_argument("--about", default="", help="a sentence about them")
    index.set_defaults(run=index_policies)


def list_policies(chosen: argparse.Namespace) -> None:
    """Name, version, game, size, digest and place."""
    offers = hub.policies() if chosen.source is None else hub.offered(chosen.source)
    rows = [("policy", "game", "bytes", "digest", "where")]
    rows += [(f"{o.name}@{o.version}", o.game, f"{o.size:,}", o.digest[:12], o.place) for o in offers]
    print_columns(rows, right=4, width=200)
    if not offers:
        say("none; alarife hub install SOURCE brings some")


def install_policies(chosen: argparse.Namespace) -> None:
    """Install, and say what came."""
    if not chosen.names:
        offers = hub.install(chosen.source, game=chosen.game)
    else:
        wishes = [parse_wish(name) for name in chosen.names]
        offers = [offer for name, version, digest in wishes
                  for offer in hub.install(chosen.source, [name], chosen.game, version, digest)]  # fmt: skip
    for offer in offers:
        say(f"installed {offer}")


def remove_policies(chosen: argparse.Namespace) -> None:
    """Forget, and say what went."""
    name, version, _ = parse_wish(chosen.name)
    for offer in hub.uninstall(name, chosen.game, version):
        say(f"removed {offer}")


def index_policies(chosen: argparse.Namespace) -> None:
    """Write an index, and say what it tells."""
    name, version, _ = parse_wish(chosen.name)
    for offer in hub.write_index(chosen.folder, name, 1 if version is None else version, chosen.about):
        say(f"{offer.file}: {offer}")
