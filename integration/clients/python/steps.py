"""What every script in Python shares: one line per step, in the form that the
runner reads, the values that a round trip sends, and the digests of SQS."""

import contextlib
import hashlib
import os
import struct
import sys

ENDPOINT = os.environ["QUEUES_ENDPOINT"]
BODY = os.environb[b"QUEUES_BODY"].decode("utf-8")
LABELLED = "Number.price"

_failed = False


class Skip(Exception):
    """A step that the client cannot say."""


def version(text):
    print("version", text, flush=True)


@contextlib.contextmanager
def step(name):
    """Runs one step: what it raises is its failure, and the next one runs."""
    global _failed
    try:
        yield
    except Skip as why:
        print(f"skip {name}: {why}", flush=True)
    except Exception as why:
        _failed = True
        text = " ".join(f"{type(why).__name__}: {why}".split())
        print(f"not ok {name}: {text}", flush=True)
    else:
        print(f"ok {name}", flush=True)


def done():
    print("done", flush=True)
    sys.exit(1 if _failed else 0)


def same(what, got, want):
    if got != want:
        raise AssertionError(f"{what}: got {got!r}, want {want!r}")


def md5(text):
    return hashlib.md5(text.encode("utf-8")).hexdigest()


def md5_of_attributes(attributes):
    """The digest of message attributes, given as name: (type, text or bytes)."""

    def sized(data):
        return struct.pack(">I", len(data)) + data

    h = hashlib.md5()
    for name in sorted(attributes):
        kind, value = attributes[name]
        h.update(sized(name.encode()) + sized(kind.encode()))
        if kind.startswith("Binary"):
            h.update(b"\x02" + sized(value))
        else:
            h.update(b"\x01" + sized(value.encode("utf-8")))
    return h.hexdigest()


# The message attributes of the round trip, as name: (type, value).
ATTRIBUTES = {
    "text": ("String", BODY),
    "number": ("Number", "1.50"),
    "bytes": ("Binary", bytes(range(256))),
    "price": (LABELLED, "-7e3"),
    "icon.png": ("Binary.png", b"\x00\xff"),
}
