from gofer.cli.plain import visible


def test_what_steers_a_terminal_is_replaced_and_all_scripts_stay() -> None:
    assert visible("http://a/\x1b]0;title\x07\r\n\x9b2J") == "http://a/�]0;title����2J"
    assert visible("Гавань зимой, 港の冬 — ünïcode") == "Гавань зимой, 港の冬 — ünïcode"
