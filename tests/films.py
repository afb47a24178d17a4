"""What a page with a film holds, read as its script reads it."""

import base64
import gzip
import json
import re
from itertools import accumulate


def content_of(page):
    """All that is told in the film of a page, with its pictures."""
    packed = re.search(r'<script type="text/plain"[^>]*>([^<]*)</script>', page)[1]
    content = json.loads(gzip.decompress(base64.b64decode(packed)))
    lines = content["lines"]
    assert len(set(lines)) == len(lines)
    content["pictures"] = ["\n".join(lines[number] for number in accumulate(frame)) for frame in content["frames"]]
    return content
