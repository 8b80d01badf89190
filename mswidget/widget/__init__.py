"""From the history to the page, and the page's commands back."""
