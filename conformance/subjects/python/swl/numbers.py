"""JSON numbers: every number is an IEEE 754 double, whatever its token looks like.

Inside this package a number has one form only, so that Python's `==` on numbers means the same double: an `int` where
the double is a whole number of at most 2**53 in size, else a finite `float`. `1.0` and `1` become the same `1`, `-0`
becomes `0`. A `bool` is never a number: types are compared with `type(x) is`, since `True == 1` in Python.
"""

from __future__ import annotations

import math

Number = int | float

WHOLE = 2**53
SAFE = 2**53 - 1


def number(value: Number) -> Number:
    """The one form of a number; a sum or a product of two numbers goes through it again."""
    double = float(value)
    if not math.isfinite(double):
        raise ValueError("a number is beyond the range of a double")
    if double.is_integer() and -WHOLE <= double <= WHOLE:
        return int(double)
    return double


def read_integer(token: str) -> Number:
    """What a token without fraction and exponent denotes (hook of the JSON reader)."""
    return int(token) if len(token) < 16 else number(float(token))


def read_decimal(token: str) -> Number:
    """What a token with a fraction or an exponent denotes (hook of the JSON reader)."""
    return number(float(token))


def read_constant(token: str) -> Number:
    """`NaN` and `Infinity` are no JSON."""
    raise ValueError(f"{token} is no JSON")


def add(left: Number, right: Number) -> Number:
    """The sum in binary64."""
    return number(float(left) + float(right))


def is_number(value: object) -> bool:
    return type(value) is int or type(value) is float


def is_integer(value: object) -> bool:
    """An integer of the data pages: no fraction, at most 2**53 - 1 in size."""
    return type(value) is int and -SAFE <= value <= SAFE


def is_whole(value: object) -> bool:
    """`type: integer` of a schema: any number without a fraction, `1e300` too."""
    return type(value) is int or (type(value) is float and value.is_integer())


def number_text(value: Number) -> str:
    """A number as ECMAScript prints it (RFC 8785): the shortest digits, exponents below 1e-6 and from 1e21."""
    if type(value) is int:
        return str(value)
    sign = "-" if value < 0 else ""
    mantissa, _, exponent = repr(abs(value)).partition("e")
    whole, _, fraction = mantissa.partition(".")
    digits = whole + fraction
    point = len(whole) + (int(exponent) if exponent else 0)
    significant = digits.lstrip("0")
    point -= len(digits) - len(significant)
    significant = significant.rstrip("0")
    count = len(significant)
    if count <= point <= 21:
        return sign + significant + "0" * (point - count)
    if 0 < point <= 21:
        return f"{sign}{significant[:point]}.{significant[point:]}"
    if -6 < point <= 0:
        return f"{sign}0.{'0' * -point}{significant}"
    tail = f".{significant[1:]}" if count > 1 else ""
    return f"{sign}{significant[0]}{tail}e{'+' if point > 0 else '-'}{abs(point - 1)}"
