"""The table in the browser: ``alarife serve``. See docs/web.md."""
