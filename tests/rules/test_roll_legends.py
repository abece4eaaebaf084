"""What a rent roll says about its own signs, marks and codes."""

import pytest

from pms.rules.roll_legends import DAY_MARK, Mark, Sign, codes_in, marks_in, plain_sign


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("※差引残高：▲＝未収　無印＝前受", Sign.AHEAD),
        ("▲は過入金", Sign.OWED),
        ("マイナスは前受金です", Sign.OWED),
        ("Balance (+owes / -credit)", Sign.OWED),
        ("negative = owed; positive = credit", Sign.AHEAD),
        ("▲＝未収　無印＝未収", None),
        ("コーポ桐 入居者一覧", None),
        ("未収金は翌月までにお支払いください", None),
    ],
)
def test_a_legend_says_what_a_figure_without_a_sign_is(text: str, sign: Sign | None) -> None:
    assert plain_sign(text) is sign


def test_marks_are_explained_by_a_legend_of_several() -> None:
    assert marks_in("○入金済　×未入金　△不足額　免=免除　日付=前払い入金日") == {
        "○": Mark.PAID,
        "×": Mark.UNPAID,
        "△": Mark.REST,
        "免": Mark.FREE,
        DAY_MARK: Mark.AHEAD,
    }
    assert marks_in("○印は要確認") == {}
    assert marks_in("11月分請求済") == {}


def test_codes_are_explained_in_the_brackets_of_a_heading() -> None:
    assert codes_in("状態(1:契約中 2:空室)") == {"1": "契約中", "2": "空室"}
    assert codes_in("状態（1=入居中、2=退去済）") == {"1": "入居中", "2": "退去済"}
    assert codes_in("賃料（円）") == {}
