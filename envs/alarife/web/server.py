"""Sessions over HTTP, for the page in static/ and for nobody else.

Only who holds a key is heard, and only under the name that the server has: a page of somebody else cannot reach it,
not even by a name that leads to this machine. What is asked for is small, what is sent is text of this page.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

from alarife.engine.errors import AlarifeError, missing_extra
from alarife.engine.numbers import short
from alarife.engine.palette import style_sheet
from alarife.engine.reading import parse_json
from alarife.web.hub import Access, Gone, Hub
from alarife.web.session import PLAY, NotAllowed, Session, Stale, Viewer

try:
    from starlette.applications import Starlette
    from starlette.concurrency import run_in_threadpool
    from starlette.middleware import Middleware
    from starlette.middleware.gzip import GZipMiddleware
    from starlette.requests import Request
    from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
    from starlette.routing import Mount, Route
    from starlette.staticfiles import StaticFiles
    from starlette.types import ASGIApp, Receive, Scope, Send
except ImportError:
    raise missing_extra("the table in the browser needs", "web") from None

STATIC = Path(__file__).parent / "static"
MOST_BODY = 4096  # bytes of a question
MOST_LOOK = 50  # decisions of one piece of an analysis
HEARTBEAT = 15.0  # seconds after which a silent line says that it is still there
KEY = "x-alarife-key"
HEADERS = {
    "content-security-policy": "default-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; "
                               "frame-ancestors 'none'",
    "x-content-type-options": "nosniff", "referrer-policy": "no-referrer", "cache-control": "no-store",
    "cross-origin-opener-policy": "same-origin", "cross-origin-resource-policy": "same-origin",
}  # fmt: skip


class Guard:
    """Lets only through what comes from this server's own page, and says on every answer what a browser may do."""

    def __init__(self, app: ASGIApp, hub: Hub, hosts: frozenset[str], port: int, others: bool) -> None:
        self.app, self.hub, self.hosts, self.port, self.others = app, hub, hosts, port, others

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check a request, then hand it on."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def answer(message: Any) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"],
                                      *((name.encode(), text.encode()) for name, text in HEADERS.items())]  # fmt: skip
            await send(message)

        request = Request(scope)
        if refusal := self._refusal(request):
            await refusal(scope, receive, answer)
            return
        await self.app(scope, receive, answer)

    def _refusal(self, request: Request) -> Response | None:
        host, origin = request.headers.get("host", ""), request.headers.get("origin")
        if not self._is_ours(host) or (origin is not None and origin != f"http://{host}"):
            return _sentence(403, "this server answers its own page only")
        if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return _sentence(403, "this server answers its own page only")
        if request.url.path.startswith("/api/"):
            access = self.hub.access(request.headers.get(KEY, ""))
            if access is None:
                return _sentence(401, "this needs the key that the server printed when it was started")
            request.scope["state"] = request.scope.get("state", {}) | {"access": access}
        return None

    def _is_ours(self, host: str) -> bool:
        name, _, port = host.rpartition(":")
        if port != str(self.port):
            return False
        return name in self.hosts or (self.others and _is_number(name))


def _is_number(name: str) -> bool:
    """Whether a host is named by its number, which no foreign page can make its own."""
    try:
        ipaddress.ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def _sentence(status: int, sentence: str) -> JSONResponse:
    return JSONResponse({"error": sentence}, status)


# --- answers --------------------------------------------------------------------------------------------

Answer = Callable[[Hub, Access, Request, dict[str, Any]], Awaitable[Any]]


def _said(hub: Hub, answer: Answer) -> Callable[[Request], Awaitable[Response]]:
    """An endpoint: what goes wrong is a sentence with a fitting status."""

    async def endpoint(request: Request) -> Response:
        try:
            wish = await _body(request) if request.method == "POST" else {}
            made = await answer(hub, request.state.access, request, wish)
        except NotAllowed as error:
            return _sentence(403, str(error))
        except Stale as error:
            return _sentence(409, str(error))
        except Gone as error:
            return _sentence(404, str(error))
        except _TooLong as error:
            return _sentence(413, str(error))
        except (AlarifeError, ValueError, TypeError) as error:
            return _sentence(400, str(error))
        return made if isinstance(made, Response) else JSONResponse(made)

    return endpoint


class _TooLong(AlarifeError):
    pass


async def _body(request: Request) -> dict[str, Any]:
    """The question of a POST: a small JSON table."""
    if request.headers.get("content-type", "").partition(";")[0] != "application/json":
        raise AlarifeError("a question is JSON, sent as application/json")
    content = b""
    async for part in request.stream():
        content += part
        if len(content) > MOST_BODY:
            raise _TooLong(f"a question has at most {MOST_BODY} bytes")
    wish = parse_json(content.decode())
    if not isinstance(wish, dict):
        raise AlarifeError(f"a question is a table, got {short(wish)}")
    return wish


def _number(request: Request, name: str) -> int | None:
    text = request.query_params.get(name)
    if text in (None, ""):
        return None
    if not (len(str(text)) < 10 and str(text).isascii() and str(text).isdigit()):
        raise AlarifeError(f"{name} is a whole number, got {short(text)}")
    return int(str(text))


def _game(hub: Hub, access: Access, request: Request) -> tuple[Session, Viewer]:
    """The session of a request and as whom it is looked at."""
    session, seat = hub.session(access, request.path_params["id"])
    wanted = request.query_params.get("as", "")
    return session, session.viewer_of(seat, int(wanted) if wanted.isdigit() else wanted)


def _runner(request: Request) -> Runner:
    runner: Runner = request.app.state.runner
    return runner


async def _catalog(hub: Hub, access: Access, request: Request, wish: dict[str, Any]) -> Any:
    hub.require_owner(access)
    return await run_in_threadpool(hub.catalog)


async def _begin(hub: Hub, access: Access, request: Request, wish: dict[str, Any]) -> Any:
    hub.require_owner(access)
    number = await run_in_threadpool(hub.open if "file" in wish else hub.begin, wish)
    _runner(request).look(number)
    return {"id": number}


async def _games_of(hub: Hub, access: Access, request: Request, wish: dict[str, Any]) -> Any:
    hub.require_owner(access)
    return await run_in_threadpool(hub.library.games_of, request.query_params.get("file"))


async def _look(hub: Hub, access: Access, request: Request, wish: dict[str, Any]) -> Any:
    session, viewer = _game(hub, access, request)
    number = request.path_params["id"]
    _runner(request).look(number)  # who looks first finds a player who has not begun yet
    view = await run_in_threadpool(session.view, viewer, _number(request, "at"))
    is_host = not access.game and session.mode == PLAY
    return view | {"invitations": hub.invitations(number) if is_host else {}, "owner": not access.game}


async def _play(hub: Hub, access: Access, request: Request, wish: dict[str, Any]) -> Any:
    session, viewer = _game(hub, access, request)
    await run_in_threadpool(session.play, viewer, wish.get("n"), wish.get("actions"))
    await _runner(request).look_briefly(request.path_params["id"])
    return await _look(hub, access, request, wish)


async def _go(hub: Hub, access: Access, request: Request, wish: dict[str, Any]) -> Any:
    session, _ = _game(hub, access, request)
    if session.mode == PLAY:
        raise NotAllowed("players who sit with people decide on their own")
    await run_in_threadpool(session.go, wish.get("n"))
    return await _look(hub, access, request, wish)


async def _takeback(hub: Hub, access: Access, request: Request, wish: dict[str, Any]) -> Any:
    session, viewer = _game(hub, access, request)
    await run_in_threadpool(session.take_back, viewer, wish.get("n"))
    _runner(request).look(request.path_params["id"])
    return await _look(hub, access, request, wish)


async def _hint(hub: Hub, access: Access, request: Request, wish: dict[str, Any]) -> Any:
    session, viewer = _game(hub, access, request)
    name = hub.check_player(wish.get("player") or "scripted")
    at = wish.get("at")
    return await run_in_threadpool(session.thought, viewer, name, at)


async def _analysis(hub: Hub, access: Access, request: Request, wish: dict[str, Any]) -> Any:
    session, viewer = _game(hub, access, request)
    name = hub.check_player(request.query_params.get("player") or "scripted")
    begin = _number(request, "from") or 0
    end = min(begin + MOST_LOOK, _number(request, "to") or begin + MOST_LOOK)
    return await run_in_threadpool(session.analysis, viewer, name, begin, end)


async def _fork(hub: Hub, access: Access, request: Request, wish: dict[str, Any]) -> Any:
    hub.require_owner(access)
    session, viewer = _game(hub, access, request)
    number = await run_in_threadpool(hub.branch, session, viewer, wish)
    _runner(request).look(number)
    return {"id": number}


async def _save(hub: Hub, access: Access, request: Request, wish: dict[str, Any]) -> Any:
    hub.require_owner(access)
    session, _ = _game(hub, access, request)
    return {"file": await run_in_threadpool(hub.save, session)}


async def _events(hub: Hub, access: Access, request: Request, wish: dict[str, Any]) -> Any:
    session, _ = _game(hub, access, request)
    return StreamingResponse(_news(session, asyncio.get_running_loop()), media_type="text/event-stream")


async def _news(session: Session, loop: asyncio.AbstractEventLoop) -> AsyncIterator[str]:
    """The number of the decision that is due, whenever something has happened; everybody then asks for his own view."""
    changed = asyncio.Event()

    def notice() -> None:
        with contextlib.suppress(RuntimeError):  # the loop may have ended
            loop.call_soon_threadsafe(changed.set)

    end = session.when_changed(notice)
    try:
        while True:
            changed.clear()
            yield f"data: {session.n}\n\n"
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(changed.wait(), HEARTBEAT)
    finally:
        end()


# --- players that are no persons ------------------------------------------------------------------------


class Runner:
    """Lets players decide whose turn it is at tables where people sit."""

    def __init__(self, hub: Hub) -> None:
        self.hub = hub
        self._running: dict[str, asyncio.Task[None]] = {}

    def look(self, number: str) -> asyncio.Task[None] | None:
        """See whether a player is to decide, and let him."""
        session = self.hub.sessions[number]
        if session.mode != PLAY or not session.waits_for_player():
            return None
        if number not in self._running:
            task = asyncio.create_task(self._run(session))
            self._running[number] = task
            task.add_done_callback(lambda _: self._running.pop(number, None))
        return self._running[number]

    async def look_briefly(self, number: str) -> None:
        """The same, and wait a moment for quick players, so that one picture shows what they did, too."""
        if task := self.look(number):
            await asyncio.wait([task], timeout=0.02)

    async def _run(self, session: Session) -> None:
        while session.waits_for_player():
            with contextlib.suppress(Stale):
                await run_in_threadpool(session.go, session.n)


# --- the application ------------------------------------------------------------------------------------


async def _page(request: Request) -> Response:
    return FileResponse(STATIC / "index.html")


async def _palette(request: Request) -> Response:
    return Response(style_sheet(), media_type="text/css")


def application(hub: Hub, port: int, host: str = "127.0.0.1", others: bool = False) -> Starlette:
    """The server of a hub. With `others` it may be reached from other machines, by number."""
    hosts = frozenset({"127.0.0.1", "localhost", "[::1]", host})
    routes = [
        Route("/", _page),
        Route("/palette.css", _palette),
        Route("/api/catalog", _said(hub, _catalog)),
        Route("/api/games-of", _said(hub, _games_of)),
        Route("/api/games", _said(hub, _begin), methods=["POST"]),
        Route("/api/games/{id}", _said(hub, _look)),
        Route("/api/games/{id}/events", _said(hub, _events)),
        Route("/api/games/{id}/analysis", _said(hub, _analysis)),
        *(Route(f"/api/games/{{id}}/{name}", _said(hub, answer), methods=["POST"])
          for name, answer in (("play", _play), ("go", _go), ("takeback", _takeback), ("hint", _hint),
                               ("fork", _fork), ("save", _save))),
        Mount("/static", StaticFiles(directory=STATIC)),
    ]  # fmt: skip
    middleware = [
        Middleware(Guard, hub=hub, hosts=hosts, port=port, others=others),
        Middleware(GZipMiddleware, minimum_size=1000, compresslevel=5),
    ]
    app = Starlette(routes=routes, middleware=middleware)
    app.state.runner = Runner(hub)
    return app
