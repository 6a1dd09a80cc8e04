from gofer.cli.plain import counted, visible


def test_what_steers_a_terminal_is_replaced_and_all_scripts_stay() -> None:
    assert visible("http://a/\x1b]0;title\x07\r\n\x9b2J") == "http://a/�]0;title����2J"
    assert visible("Гавань зимой, 港の冬 — ünïcode") == "Гавань зимой, 港の冬 — ünïcode"


def test_one_is_no_plural() -> None:
    assert [counted(n, "target") for n in (0, 1, 2)] == ["0 targets", "1 target", "2 targets"]
