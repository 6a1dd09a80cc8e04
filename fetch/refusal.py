"""How a stage of converting says no: one exception, with the caller's words. It never leaves `convert_page`."""


class Refusal(Exception):
    """What was asked cannot be given of this page: `error` names what and why, `hint` what the caller can do."""

    def __init__(self, error: str, hint: str) -> None:
        super().__init__(error)
        self.error = error
        self.hint = hint
