"""Facts about a run without the secrets in them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

HIDDEN = "***"
_USER = re.compile(r"(?<=://)([^\s/]*:\S*|[^\s/?#]*)@")
_HOOK = re.compile(r"(?<=://)\S*hook\S*", re.IGNORECASE)
_NAMED = re.compile(
    r"""(?<![\w.-])([\w.-]+)(["'\])]*\s*(?:[=:\uff1a]+|,)\s*|\s+)(?=\S)"""
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_SECRET = re.compile(
    r"secret|passw(or)?d|passphrase|webhook|credential|密码|口令|密钥|令牌"
    r"|(api|access|private|ssh|auth|license)_?key"
    r"|(token|(?<![a-z])(key|pwd|auth|authorization))[\W\d_]*$"
)
_ABOUT_SECRET = re.compile(r"token(?![a-z])|(?<![a-z])(key|pwd|auth)(?![a-z])")


def redact(facts: Mapping[str, object]) -> dict[str, object]:
    """Return facts in which whatever may be a secret is `HIDDEN`.

    That is what stands under, or in an argument or text after, a name such as
    ``token``, ``api_key`` or ``--password``; who logs in to a URL; and the address
    of a web hook, which is a secret itself. Rather too much is hidden than too
    little.

    Parameters
    ----------
    facts
        What ``json`` can write, nested in any way; other objects become text.
    """
    return {_text(key): _value(key, fact) for key, fact in facts.items()}


def _value(name: str, value: object) -> object:
    """Return what may be shown of a value that has a name, or none: ``""``."""
    if _hides(name, value):
        return HIDDEN
    if isinstance(value, Mapping):
        return redact({str(key): fact for key, fact in value.items()})
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return _arguments(value)
    if value is None or isinstance(value, bool | int | float):
        return value
    return _text(str(value))


def _arguments(values: Sequence[object]) -> list[object]:
    """Take values for those of the option before them, as on a command line."""
    shown: list[object] = []
    option, dashes = "", "-"
    for value in values:
        if isinstance(value, str) and value.startswith(dashes):
            option = "" if "=" in value else value
            shown.append(_text(value))
            # The secret that follows may begin with a dash.
            dashes = "--" if _hides(option, HIDDEN) else "-"
        else:
            shown.append(_value(option, value))
            dashes = "-"
    return shown


def _text(text: str) -> str:
    # Names first: one that is hidden within an address tells no more what follows.
    return _HOOK.sub(HIDDEN, _USER.sub(f"{HIDDEN}@", _before_secret(text)))


def _before_secret(text: str) -> str:
    """Hide all that follows the name of a secret: where it ends, nobody knows."""
    for match in _NAMED.finditer(text):
        name, between = match.groups()
        names = re.search(r"[=:\uff1a]", between) or name.startswith("-")
        if names and _hides(name, text[match.end() :]):
            return text[: match.end()] + HIDDEN
    return text


def _hides(name: str, value: object) -> bool:
    if value is None or isinstance(value, bool):
        return False
    plain = _CAMEL.sub("_", name).lower().replace("-", "_")
    if _SECRET.search(plain):
        return True
    # pad_token_id and num_key_value_heads are numbers, and no secrets.
    return bool(_ABOUT_SECRET.search(plain)) and not _is_number(value)


def _is_number(value: object) -> bool:
    try:
        float(str(value))
    except ValueError:
        return False
    return True
