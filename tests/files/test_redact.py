"""What is written about a run holds no secret, and all that is none."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mswidget.files.redact import redact

MARK = "Zq9§"
NAMES = st.builds(
    "{}{}{}".format,
    st.sampled_from(["", "my_", "HF-", "trainer.", "db", "OPENAI_", "é_"]),
    st.sampled_from(
        [
            "token",
            "TOKEN",
            "Token",
            "secret",
            "password",
            "Passwd",
            "api_key",
            "apiKey",
            "API_KEY",
            "webhook",
            "credential",
            "Credentials",
            "密码",
        ]
    ),
    st.sampled_from(["", "_2", "-prod", ".x", "_"]),
)
AROUND = st.text(max_size=4)
SECRETS = st.builds("{}{}{}".format, AROUND, st.just(MARK), AROUND)
FORMS = [
    "{}={}",
    "--{}={}",
    "{}: {}",
    '{{"{}": "{}"}}',
    "https://h/a?b=1&{}={}",
    "run --{} {}",
    "['--{}', '{}']",
    "Config({}='{}')",
    "{}\uff1a{}",
    "-{}\t{}",
]
WORDS = st.sampled_from(
    [
        "keyboard",
        "monkey",
        "--max-tokens",
        "max_tokens=5",
        "tokens_per_s",
        "turkey=2",
        "--tokenizer",
        "author:me",
        "C:\\keys\\a.py",
        "https://github.com/a/b@main",
        "--pad_token_id=0",
        "loss/key",
        "--lr=1e-3",
        "实验",
        "a\udc80",
        "-x",
    ]
)
KEYS = st.sampled_from(["keyboard", "max_tokens", "tokens_per_s", "author", "实验"])
HARMLESS = st.recursive(
    WORDS | st.integers() | st.floats(allow_nan=False) | st.none() | st.booleans(),
    lambda inner: st.lists(inner) | st.dictionaries(KEYS, inner),
)


def shown(fact):
    return json.dumps(redact({"fact": fact}), ensure_ascii=False)


@given(st.sampled_from(FORMS), NAMES, SECRETS, AROUND)
def test_a_secret_in_a_text_is_hidden(form, name, secret, before):
    assert MARK not in shown([f"{before} {form.format(name, secret)}", 1])


@given(NAMES, SECRETS.filter(lambda text: not text.startswith("--")))
def test_a_secret_after_an_option_is_hidden(name, secret):
    assert MARK not in shown(["t.py", f"--{name}", secret, secret.lstrip("-")])


@given(NAMES, st.recursive(SECRETS, lambda x: st.lists(x) | st.tuples(x)))
def test_a_secret_under_a_key_is_hidden(name, secret):
    assert MARK not in shown([{"deep": {name: secret}}])


@given(st.from_regex(r"[a-z+]+://[^\s/]*:", fullmatch=True), SECRETS)
def test_a_password_in_an_address_is_hidden(start, secret):
    secret = "".join(secret.split())
    assert MARK not in shown({"repo": [f"see {start}{secret}@host/path"]})


@given(HARMLESS)
def test_what_is_no_secret_is_kept(fact):
    assert redact({"fact": fact}) == {"fact": fact}


@pytest.mark.parametrize(
    ("fact", "left"),
    [
        (
            ["t.py", "--token", "abc", "--lr", "1"],
            ["t.py", "--token", "***", "--lr", "1"],
        ),
        (["--api-key=abc", "--lr", "1"], ["--api-key=***", "--lr", "1"]),
        (["--pad-token-id", "-1", "--num_heads", "8"], None),
        ({"pad_token_id": 0, "num_key_value_heads": 8, "use_token": True}, None),
        ({"key": 7, "lr": 0.1}, {"key": "***", "lr": 0.1}),
        ("https://me:abc@host/x", "https://***@host/x"),
        ("git+https://abc@github.com/a/b", "git+https://***@github.com/a/b"),
        ("https://hooks.slack.com/services/T0/B0/x", "https://***"),
        ("https://h/a?b=1&webhook=\rabc", "https://***\r***"),
        (
            "https://h/send?lr=1&access_token=abc",
            "https://h/send?lr=1&access_token=***",
        ),
    ],
)
def test_only_the_secret_is_hidden(fact, left):
    assert redact({"fact": fact})["fact"] == (fact if left is None else left)
