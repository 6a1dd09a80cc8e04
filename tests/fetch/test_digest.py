"""What a digest quotes, and that it is the page's own words, the same every time."""

import pytest
from gofer.fetch.digest import ANSWER_SENTENCES, SUMMARY_SENTENCES, digest, pick_answers
from gofer.fetch.sentences import MAX_SENTENCE_CHARS, MAX_SENTENCES, Sentence, split_sentences

PAGE = """# The lighthouse

The lighthouse was built in 1907 by the harbour company. Dr. Smith drew the plans. It has a *white* tower.

## The lamp

The lamp burns paraffin. Its light is seen from [thirty miles](https://a.example/miles) away. A keeper
trims it at dusk. He sleeps by day. His wife keeps the log. She writes in green ink.

- Wicks are changed weekly.
- Glass is cleaned daily.

## Visits

| Day | Price |
| --- | ----- |
| Sunday | two pounds |

Visitors climb 200 stairs.
"""


def answer(question: str, text: str = PAGE, language: str = "en") -> list[str]:
    sentences = split_sentences(text, language)
    return [sentences[at].text for at in pick_answers(sentences, question)]


def test_sentences_know_their_heading_and_paragraph() -> None:
    sentences = split_sentences(PAGE, "en")
    assert sentences[1] == Sentence("Dr. Smith drew the plans.", "The lighthouse", 0)
    assert sentences[2].text == "It has a white tower."
    assert sentences[5] == Sentence("A keeper trims it at dusk.", "The lamp", 1)
    assert [s.text for s in sentences if s.heading == "Visits"] == [
        "Day · Price",
        "Sunday · two pounds",
        "Visitors climb 200 stairs.",
    ]
    assert Sentence("Wicks are changed weekly.", "The lamp", 2) in sentences


@pytest.mark.parametrize(
    ("question", "best"),
    [
        ("Who drew the plans?", "Dr. Smith drew the plans."),
        ("When was it built?", "The lighthouse was built in 1907 by the harbour company."),
        ("How many pounds on Sundays?", "Sunday · two pounds"),
        ("How often are wicks changed?", "Wicks are changed weekly."),
    ],
)
def test_the_best_sentence_comes_first(question: str, best: str) -> None:
    found = answer(question)
    assert found[0] == best
    assert len(found) <= ANSWER_SENTENCES


@pytest.mark.parametrize(
    ("text", "question", "best"),
    [
        (
            "Der Leuchtturm steht im Norden. Die Hafengesellschaft baute ihn.",
            "Wer ist die Gesellschaft des Hafens?",
            1,
        ),
        ("山脚下有一座书院。学生每年春天来听历史。", "学生什么时候来？", 1),
        ("港に時計屋があります。店主は毎朝ねじを巻きます。", "いつねじを巻きますか", 1),
        ("Маяк стоит на краю посёлка. Смотрители зажигали лампу.", "Кто зажигает лампы?", 1),
        ("नाव नदी पर है। दीपक हर शाम जलता है।", "दीपक कब जलता है?", 1),
        ("언덕 위에 도서관이 있습니다. 아이들은 난로 옆에 앉았습니다.", "난로는 어디에?", 1),
    ],
)
def test_questions_are_answered_in_every_script(text: str, question: str, best: int) -> None:
    sentences = split_sentences(text, "")
    assert len(sentences) == 2
    assert pick_answers(sentences, question)[0] == best


def test_quotes_from_several_headings_each_name_theirs() -> None:
    found = digest("# A\n\nRed is a colour.\n\n# B\n\nBlue is a colour too.", question="Which colour is red?")
    assert found.text == "> Red is a colour.\n> — A\n\n> Blue is a colour too.\n> — B"


def test_an_answer_is_quoted_under_its_heading() -> None:
    found = digest(PAGE, question="Who trims the lamp at dusk?", language="en")
    assert found.text == (
        "> A keeper trims it at dusk.\n>\n"
        "> The lamp burns paraffin.\n>\n"
        "> Its light is seen from thirty miles away.\n"
        "> — The lamp"
    )
    assert found.answered


def test_context_adds_the_sentences_around_each_quote_within_its_paragraph() -> None:
    text = digest(PAGE, question="Who drew plans?", language="en", context=True).text
    quotes, _, passages = text.partition("\n\n## Passages\n\n")
    assert quotes.startswith("> Dr. Smith drew the plans.\n>\n> ")
    assert passages.startswith(
        "### The lighthouse\n\n"
        "The lighthouse was built in 1907 by the harbour company. Dr. Smith drew the plans. It has a white tower."
    )


def test_every_quote_stands_in_the_page() -> None:
    plain = [s.text for s in split_sentences(PAGE, "en")]
    for question in ("lamp", "stairs", ""):
        for line in digest(PAGE, question=question, context=False).text.split("\n"):
            if line.startswith("> ") and not line.startswith("> — "):
                assert line[2:] in plain


def test_without_a_question_it_is_a_summary_in_the_pages_order() -> None:
    found = digest(PAGE, title="The lighthouse", language="en")
    quoted = [line[2:] for line in found.text.split("\n") if line.startswith("> ") and not line.startswith("> — ")]
    order = [s.text for s in split_sentences(PAGE, "en")]
    assert "The lighthouse was built in 1907 by the harbour company." in quoted
    assert len(quoted) == SUMMARY_SENTENCES
    assert [order.index(each) for each in quoted] == sorted(order.index(each) for each in quoted)


def test_a_summary_does_not_say_the_same_twice() -> None:
    text = "\n\n".join(["The harbour is closed today."] * 5 + ["Yes!", "Ships wait outside."])
    assert digest(text).text == "> The harbour is closed today.\n>\n> Ships wait outside."


def test_links_give_their_text_and_images_nothing() -> None:
    text = 'See ![a](b.png) [the *map* (big)](https://a.example/m_(1) "Map") and \\*this\\*, snake_case_name.'
    assert split_sentences(text)[0].text == "See  the map (big) and *this*, snake_case_name."


def test_the_same_page_and_question_give_the_same_digest() -> None:
    assert len({digest(PAGE, question="Who keeps the lamp?", context=True) for _ in range(5)}) == 1


def test_a_question_that_shares_nothing_with_the_page_is_not_answered() -> None:
    assert answer("Qxz?") == []
    assert not digest(PAGE, question="Qxz?").answered


@pytest.mark.parametrize("text", ["", "\n\n", "# Only a heading", "---\n\n***", "```\n```", "| - | - |"])
def test_a_page_without_sentences_gives_an_empty_digest(text: str) -> None:
    assert digest(text, question="what?", context=True) == ("", False)


def test_a_long_page_is_bounded() -> None:
    assert len(split_sentences("One more. " * (MAX_SENTENCES + 5))) == MAX_SENTENCES
    long = split_sentences("word " * 1_000 + "x" * 2_000)
    assert max(len(s.text) for s in long) == MAX_SENTENCE_CHARS
    assert " ".join(s.text for s in long).startswith("word word")


@pytest.mark.parametrize("unit", ["![", "[x](", "*", "_", "`", "\\", "| ", '[a](b "', ". ! ? \" ' ("])
def test_markup_without_an_end_takes_no_longer_than_text(unit: str) -> None:
    assert split_sentences(unit * 20_000) is not None
