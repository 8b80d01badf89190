"""One post of JSON over HTTP."""

from __future__ import annotations

import email.message
import http.client
import json
import urllib.error
import urllib.request

from mswidget.alerts.notify.not_taken import NotTakenError

TIMEOUT_S = 10.0
_LATER = frozenset((408, 425, 429))
# Chats answer 200 and say in the body that there was too much: WeCom, DingTalk, Feishu.
_TOO_MUCH = frozenset((45009, 130101, 11232, 9499))
_READ_BYTES = 4096


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A post that is sent elsewhere would arrive as a get, or tell its secret there."""

    def redirect_request(self, *_: object) -> None:
        return None


_OPENER = urllib.request.build_opener(_NoRedirect)


def post(address: str, body: bytes) -> None:
    """Post JSON to an address, which may be a secret.

    Raises
    ------
    NotTakenError
        When it was not taken.
    """
    try:
        code = _code_in(_answer(address, body))
    except urllib.error.HTTPError as error:
        with error:  # it holds the connection
            raise _refused(error.code, error.headers) from None
    # What these say may hold the address.
    except (OSError, ValueError, http.client.HTTPException) as error:
        why = getattr(error, "reason", error)
        text = f"not reached ({type(why).__name__})"
        raise NotTakenError(text, again=not isinstance(error, ValueError)) from None
    if code:
        raise NotTakenError(f"answered with code {code}", again=code in _TOO_MUCH)


def _answer(address: str, body: bytes) -> bytes:
    request = urllib.request.Request(  # noqa: S310 - http only, as checked
        address, body, {"Content-Type": "application/json; charset=utf-8"}
    )
    with _OPENER.open(request, timeout=TIMEOUT_S) as answer:
        read: bytes = answer.read(_READ_BYTES)
    return read


def _code_in(answer: bytes) -> int:
    """Return the error that a chat's answer tells; 0 without any."""
    try:
        said = json.loads(answer)
    except ValueError:
        return 0
    known = said if isinstance(said, dict) else {}
    code = known.get("errcode", known.get("code", 0))
    return code if isinstance(code, int) else 0


def _refused(status: int, headers: email.message.Message) -> NotTakenError:
    again = status in _LATER or status >= 500  # noqa: PLR2004 - as HTTP has it
    try:
        after_s = float(headers.get("Retry-After", "0"))
    except ValueError:  # a date
        after_s = 0.0
    return NotTakenError(f"answered HTTP {status}", again=again, after_s=after_s)
