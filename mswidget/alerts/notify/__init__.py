"""Alerts told to somebody who looks at no page: a web hook, a chat, a function."""
