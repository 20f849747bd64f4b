"""The delay of the attempt after attempt n (EXE-retry-delay), in binary64."""

from __future__ import annotations

import math

from ..canonical import utf16
from ..definition.model import Action
from ..numbers import Number, number

MASK = 0xFFFFFFFF


def retry_delay(action: Action, invocation: str, attempt: int) -> Number:
    """Milliseconds between the acceptance of the failure or unknown of `attempt` and the next attempt."""
    delay = float(action.initial_delay)
    if action.exponential:
        try:
            delay = math.ldexp(delay, attempt - 1)
        except OverflowError:
            delay = math.inf
    delay = min(delay, float(action.max_delay))
    if action.jitter:
        delay = math.floor(jitter_hash(f"{invocation}:{attempt}") / 2**32 * (delay + 1))
    return number(delay)


def jitter_hash(text: str) -> int:
    """FNV-1a over UTF-16 code units, finished with the finalizer of MurmurHash3; 32 bits."""
    encoded = utf16(text)
    h = 2166136261
    for at in range(0, len(encoded), 2):
        h = ((h ^ (encoded[at] << 8 | encoded[at + 1])) * 16777619) & MASK
    h = ((h ^ h >> 16) * 2246822507) & MASK
    h = ((h ^ h >> 13) * 3266489909) & MASK
    return h ^ h >> 16
