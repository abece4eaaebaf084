"""What was read of a rent roll: rooms, tenancies, their sums, and the questions about them."""

from collections import Counter
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final

from pms.arrivals.takeover.instructions import FileDays
from pms.arrivals.takeover.laid_rows import LaidRow, Passed
from pms.arrivals.takeover.own_terms import OwnTerms
from pms.arrivals.takeover.previews import SheetPreview
from pms.rules.notices import FiledNotice
from pms.rules.roll_cells import PersonOfCell
from pms.rules.roll_debts import UnpaidAmount
from pms.rules.roll_heads import Meaning

WORDS: Final = {
    "paid_behind": "Paid until {paid}. Were the months since then billed, and are they unpaid?",
    "month_unknown": "Which month is the column {title} of? Its marks are not read.",
    "deposit_differs": "{agreed:,} was agreed, and {held:,} is held. Is the amount held right?",
    "room_changes": "The remark mentions a move to another room. Nothing is booked for it. Book it after going live?",
    "broken_quotes": "The quotation marks of this row are broken. What are its values?",
    "too_many_cells": "This row has more cells than the header. Did a comma in an amount shift it?",
    "split_amount": "An amount of this row seems to be in two cells, divided at its comma. What are its values?",
    "too_few_cells": "This row has fewer cells than the header. Which one is missing?",
    "cell_error": "The spreadsheet has no value for this cell. What is it?",
    "room_changed": "The spreadsheet seems to have changed this room name. What is the room called?",
    "beds": "Is the bed a unit of its own, called {room}?",
    "two_columns": "{title} says {other}, and this column says {value}. Which one is right, or do both count?",
    "term_length": "The contract runs for {months} months. Does it end on {end}?",
    "term_differs": "The term says {start} to {end}, and the other columns say otherwise. Which one is right?",
    "open_ended": "No contract end is stated. Is the contract open-ended, or is the end missing?",
    "serial_day": "The number {value} is {day} if it counts days as a spreadsheet does. Is it that day?",
    "short_year": "The year has two digits. Is it {day}?",
    "code_unknown": "What does the code {value} mean?",
    "whole_house": "This row has an amount but no room. Is it for the whole building? It is not imported.",
    "room_not_in_the_roll": "This room is on no list of tenancies. Which tenancy does the amount belong to?",
    "tenancy_twice": "The same person rents this room in another row ({other}). Is it one contract with a changed rent?",
    "left_without_day": "The row says that the resident has moved out, but no day. Have they left, and when?",
    "left_owes": "The resident has moved out but {yen:,} is still open. Settle it here, or leave the contract out?",
    "rent_zero": "The rent is 0. Is that right, or is it missing?",
    "rent_differs": "The rent is {read:,} in one column and {shown:,} in the other",
    "kept_in_part": "A part of the deposit is kept at the end. Is {yen:,} held in full until then?",
    "billed_and_owed": "Paid until {paid}, and {yen:,} is unpaid. Was rent billed through {through}?",
    "pays_from_day_to_day": "Paid until {through}, which is not the end of a month. Is the next row the rest of that month?",
    "mark_of_free": "No rent was due for {months}. Is that right?",
    "no_names": "No column has the residents' names. Which one is it?",
    "column_without_title": "What does the column without a title mean? Its amounts are not imported.",
    "all_in_one": "{title} is one amount for everything. Bill it as rent, or split it?",
    "rent_from_total": "The file has no rent, only {title}. Is the rent that amount less the fees beside it?",
    "legend": "The file says: {value}. Is it so for {title}?",
    "codes": "The file says: {value}. Do the codes of {title} mean {codes}?",
    "balance_direction": "The file does not say which way {title} goes. Does a figure without a sign mean unpaid, or paid too much?",
    "sheet_is_old": "The file is of {as_of}. Were the months since then billed and paid elsewhere, or is there a newer file?",
    "nothing_read": "No tenancies were found in the file. Which row is the header, and what do its columns mean?",
    "rent_steps": "{name} lists how rents change, and no tenancies. It is not imported.",
    "sheet_not_read": "Nothing was read from {name}. Does it have tenancies, or what the others lack?",
    "hidden_sheet": "{name} is hidden in the workbook and was not read. Is it needed?",
    "cells_beside": "{count} cells are outside the tables that were read: {places}. Are they needed?",
    "as_of_and_billed": "The file does not say its date or the last month billed. Which are they?",
    "as_of": "The file has no date. On which day were these payments correct?",
    "billed_through": "The file only says {as_of}. Through which month was rent billed?",
    "house_without_name": "The file gives no name for the building. What is it called?",
    "new_fee": "{title} is not a fee here yet. Add it as a monthly fee?",
    "unknown_column": "What does the column {title} mean? Its amounts are not imported.",
    "no_deposits": "The file has no deposits. Are any held?",
    "total_differs": "The file's total of {title} is {shown:,}, but its rows add up to {read:,}. Is a row missing?",
    "counted_amount": "{yen:,}?",
    "not_an_amount": "This is not an amount",
    "no_starts": "The file does not say when contracts began. Enter one day for all, or add a file that has the days.",
    "day_or_month": "Which number is the day, and which is the month?",
    "minus_debt": "{yen:,} has a minus sign. Is it unpaid, or paid too much?",
    "carried_over": "{yen:,} was carried over. Is it still unpaid?",
    "hidden_row": "This row is hidden in the spreadsheet. Is the contract still running?",
    "same_name": "Does {name} rent this room too?",
    "vacant_with_name": "The room is marked vacant but names {name}. Is it vacant?",
    "part_month": "{yen:,} was paid for {months}, the first month. Was that the full amount?",
    "rent_changes": "The remark mentions another rent. Which one applies to the next bill?",
    "not_an_email": "This is not an email address that can be mailed",
    "not_a_day": "This is not a date",
    "room_missing": "The row has no room. Which room is it?",
    "rent_missing": "The row has no rent. How much is it?",
    "own_terms": "This cell was changed after the export. Export again, or leave it empty to use the other columns.",
    "start_missing": "The row has no start day. When did the contract begin?",
    "name_missing": "The row has no name. Who lives there?",
    "deposit_missing": "The file does not say how much deposit is held. How much is it?",
    "billed_missing": "The file does not say how far the rent was billed. Through which day?",
    "unpaid_not_billed": "The rent of a month after {through} is listed as unpaid, but was not billed yet",
    "room_taken": "Another reservation has the room from {first}",
    "renewal_is_end": "Does the contract end on the next renewal day?",
    "rent_small": "The rent is only {yen:,} yen. Is it in thousands, or did the row shift?",
    "fee_small": "A monthly fee is only {amounts} yen. Is it in thousands, or did the row shift?",
    "fee_large": "A monthly fee of {amounts} yen is more than the rent of {rent:,} yen. Is that right?",
    "deposit_small": "The deposit is only {yen:,} yen. Is it in thousands, or did the row shift?",
    "deposit_large": "The deposit of {yen:,} yen is more than six months of rent. Is that right?",
    "not_joined": "{name} has this room here already, and the contract is over or was billed here. It cannot be taken over.",
    "end_before_start": "The end {end} is before the start {start}",
    "room_twice": "The room is in the file twice, here and at {other}. Which one is right?",
    "two_rooms": "Are these {count} rooms on one contract: {room}?",
    "parking": "This is a parking space. Is it a fee for {name}, or a unit of its own?",
    "deposit_unknown": "A deposit is held. How much is it?",
    "deposit_of_which_rent": "Are the months counted in today's rent of {rent:,}, or in the rent of {year} ({old:,} in {title})?",
    "rent_includes_fee": "The common fee is included in the rent. Charge no separate fee?",
    "sum_differs": "Rent and fees add up to {read:,}, but the row's total is {shown:,}",
    "owner_use": "The owner uses this room. Add an owner resident, or block the room?",
    "company": "A company holds this contract. Who lives in the room?",
    "two_people": "{count} people are named. Does the first one hold the contract?",
    "two_people_surcharge": "{count} people are named. Does the first one hold the contract, and is {extra:,} a surcharge for the second?",
    "lost_zero": "The first zero is missing. Is the number {phone}?",
    "one_month": "This is one month's total. Is it for {months}?",
    "so_many_months": "This is the total of {count} months. Is it for {months}?",
    "months_of_the_remark": "The amount is in its column, but the months are only in the remark. Are they {months}?",
    "months_without_amount": "These months have no amount. Are they {months}?",
    "one_sum_of_some_months": "This is one total for several months ({months}). How much is for each?",
    "not_rent": "This debt is not rent ({what}). When is it due?",
    "months_not_told": "The file does not say what is unpaid. What is it, and when is it due?",
    "not_yet_due": "Due on {due}, after the date of the file. Is it unpaid, or not due yet?",
    "oldest_first": "If payments go to the oldest month first, {months} is unpaid. Is that right?",
    "remark_alone": "Only the remark says that {months} is unpaid. Is that right?",
    "mark_unclear": "What does this mark mean? How much of {months} is unpaid?",
    "month_unmarked": "{months} has no mark. Was it paid?",
    "paid_ahead": "{yen:,} was paid ahead. Keep it as an overpayment for the next bill, or was one more month billed?",
    "starts_later": "The contract starts after the date of the file. Was the move-in invoice sent elsewhere, and through which day?",
    "starts_later_paid": "The contract starts after the date of the file and the move-in costs are paid. Through which day?",
    "made_again": "A new contract was signed, but its dates are not in the file",
    "automatic_renewal": "Ended on {end} and renewed automatically. Until when, or is it month to month now?",
    "term_over": "Ended on {end}. Is it month to month now, or renewed until when?",
    "term_ends_soon": "Ends on {end}, but later days are billed. Is it month to month, or renewed until when?",
    "renewed_on": "Renewed on {renewed}. Keep {start} as the start of the contract?",
    "not_made_again": "No new contract. Does the resident move out on {end}? No notice is filed.",
    "notice_in_remark": "A remark does not count as a notice. File one?",
    "free_rent": "There are months without rent. Enter them as a full discount until that day?",
    "free_rent_over": "The rent-free months ended on {until}. Is nothing left to carry over?",
    "paid_late": "Something was paid late. Is everything paid now?",
    "guarantor_pays": "The guarantor was asked to pay. Does the resident still owe it?",
    "left_already": "The resident has moved out. Skip this contract?",
}

WORDS_JA: Final = {
    "paid_behind": "{paid}まで入金済みです。その後の月は請求済みで未収ですか？",
    "month_unknown": "「{title}」列は何月の入金ですか（読み込まれません）",
    "deposit_differs": "契約の敷金は{agreed:,}円、預りは{held:,}円です。預りの金額でよろしいですか？",
    "room_changes": "備考に部屋の移動があります。移動は登録されません。本稼働後に登録しますか？",
    "broken_quotes": "引用符が崩れている行です。正しい内容を入力してください",
    "too_many_cells": "見出しより列が多い行です。金額のカンマで列がずれていませんか？",
    "split_amount": "金額がカンマで2つのセルに分かれているようです。正しい内容を入力してください",
    "too_few_cells": "見出しより列が少ない行です。どの列が抜けていますか？",
    "cell_error": "表計算ソフトのエラーで値がありません。正しい値を入力してください",
    "room_changed": "表計算ソフトが部屋名を書き換えたようです。正しい部屋名を入力してください",
    "beds": "ベッドごとの区画です。部屋名は「{room}」でよろしいですか？",
    "two_columns": "「{title}」は{other}、この列は{value}です。どちらが正しいですか。両方とも数えますか？",
    "term_length": "契約期間は{months}か月です。満了日は{end}でよろしいですか？",
    "term_differs": "契約期間は{start}～{end}ですが、ほかの列と異なります。どちらが正しいですか？",
    "open_ended": "契約終了日がありません。期間の定めのない契約ですか。記載漏れですか？",
    "serial_day": "{value}は表計算ソフトの日付番号で{day}です。その日でよろしいですか？",
    "short_year": "年が2桁です。{day}でよろしいですか？",
    "code_unknown": "コード「{value}」の意味は何ですか？",
    "whole_house": "部屋のない行に金額があります。建物全体の費用ですか（読み込みません）",
    "room_not_in_the_roll": "契約の一覧にない部屋です。どの契約の金額ですか？",
    "tenancy_twice": "同じ方の同じ部屋が{other}にもあります。賃料が変わったひとつの契約ですか？",
    "left_without_day": "退去とありますが、退去日がありません。いつ退去しましたか？",
    "left_owes": "退去済みですが{yen:,}円が残っています。こちらで精算しますか、引き継ぎませんか？",
    "rent_zero": "賃料が0円です。正しいですか。記載漏れですか？",
    "rent_differs": "賃料が列によって{read:,}円と{shown:,}円です",
    "kept_in_part": "敷金の一部を償却します。それまで{yen:,}円を全額預かっていますか？",
    "billed_and_owed": "{paid}まで入金済みで、未収が{yen:,}円あります。{through}まで請求済みですか？",
    "pays_from_day_to_day": "月の途中の{through}まで入金済みです。次の請求はその月の残りでよろしいですか？",
    "mark_of_free": "{months_ja}は請求なしでよろしいですか？",
    "no_names": "入居者の氏名の列がありません。どの列ですか？",
    "column_without_title": "見出しのない列の意味がわかりません。この列の金額は読み込まれません",
    "all_in_one": "「{title}」はすべて込みの金額です。賃料として請求しますか、分けますか？",
    "rent_from_total": "賃料の列がなく「{title}」だけです。そこから横の費用を引いた額が賃料ですか？",
    "legend": "表に「{value}」とあります。「{title}」もそのとおりですか？",
    "codes": "表に「{value}」とあります。「{title}」のコードは {codes} でよろしいですか？",
    "balance_direction": "「{title}」の向きがわかりません。符号のない金額は未収ですか、過入金ですか？",
    "sheet_is_old": "{as_of}時点の表です。その後の月はほかで請求・入金済みですか。新しい表がありますか？",
    "nothing_read": "ファイルから契約を読み取れませんでした。見出しの行と各列の意味を選んでください",
    "rent_steps": "「{name}」は賃料の改定履歴で、契約の一覧ではありません（読み込みません）",
    "sheet_not_read": "「{name}」からは何も読み取っていません。契約や不足している項目がありますか？",
    "hidden_sheet": "「{name}」は非表示のシートのため読み取っていません。必要ですか？",
    "cells_beside": "読み取った表の外に{count}個のセルがあります（{places}）。必要ですか？",
    "as_of_and_billed": "いつ時点の入金状況で、どこまで請求済みですか。ファイルに記載がありません",
    "as_of": "ファイルに日付がありません。いつ時点の入金状況ですか？",
    "billed_through": "何月分まで請求済みですか。ファイルには{as_of}とだけあります",
    "house_without_name": "ファイルに建物名がありません",
    "new_fee": "「{title}」はまだ登録のない費用です。毎月の費用として追加しますか？",
    "unknown_column": "「{title}」列の意味がわかりません。この列の金額は読み込まれません",
    "no_deposits": "ファイルに敷金の記載がありません。預かっている敷金はありますか？",
    "total_differs": "ファイルの「{title}」の合計は{shown:,}円ですが、行の合計は{read:,}円です。抜けている行はありませんか",
    "counted_amount": "{yen:,}円でよろしいですか？",
    "not_an_amount": "金額として読めません",
    "no_starts": "ファイルに契約開始日がありません。すべての行に共通の日を入力するか、開始日のあるファイルを追加してください",
    "day_or_month": "日と月のどちらが先か判断できません。日付を入力してください",
    "minus_debt": "{yen:,}円にマイナスが付いています。未収ですか、過入金ですか？",
    "carried_over": "前月からの繰越が{yen:,}円あります。まだ未収ですか？",
    "hidden_row": "表計算ソフトで非表示の行です。契約は続いていますか？",
    "same_name": "この部屋も{name}さんの契約でよろしいですか？",
    "vacant_with_name": "空室とありますが、{name}さんの記載があります。空室でよろしいですか？",
    "part_month": "入居月の{months_ja}の入金は{yen:,}円です。日割り分は全額入金済みですか？",
    "rent_changes": "備考に賃料の変更があります。次の請求はどちらの賃料ですか？",
    "not_an_email": "送信できるメールアドレスではありません",
    "not_a_day": "日付として読めません",
    "room_missing": "部屋番号がありません。どの部屋ですか？",
    "rent_missing": "賃料がありません。いくらですか？",
    "start_missing": "契約開始日がありません",
    "name_missing": "入居者の氏名がありません",
    "deposit_missing": "預かっている敷金の記載がありません",
    "billed_missing": "いつまで請求済みかの記載がありません",
    "renewal_is_end": "次の更新日を契約終了日としてよろしいですか？",
    "rent_small": "賃料が{yen:,}円です。千円単位の表か、列のずれではありませんか",
    "fee_small": "月額の費用が{amounts}円です。千円単位の表か、列のずれではありませんか",
    "fee_large": "月額の費用{amounts}円が賃料{rent:,}円より高くなっています。よろしいですか？",
    "deposit_small": "敷金が{yen:,}円です。千円単位の表か、列のずれではありませんか",
    "deposit_large": "敷金{yen:,}円は賃料の6か月分を超えています。よろしいですか？",
    "not_joined": "{name}さんの契約はすでに登録されていて、終了しているか、こちらで請求済みです。引き継げません",
    "end_before_start": "契約終了日{end}が開始日{start}より前です",
    "room_twice": "同じ部屋が{other}にもあります。どちらが正しいですか？",
    "two_rooms": "{count}室でひとつの契約ですか（{room}）",
    "parking": "駐車場です。{name}の費用ですか、別の区画ですか？",
    "deposit_unknown": "敷金の金額がありません。いくら預かっていますか？",
    "deposit_of_which_rent": "今の賃料{rent:,}円の月数ですか、{year}年の賃料（{title}{old:,}円）の月数ですか？",
    "rent_includes_fee": "共益費は賃料に含まれますか（別の費用なし）",
    "sum_differs": "賃料と費用の計は{read:,}円、行の合計欄は{shown:,}円です",
    "owner_use": "オーナー使用の部屋です。オーナー入居として登録しますか、貸し止めにしますか？",
    "company": "法人契約です。実際に住んでいる方はどなたですか？",
    "two_people": "{count}名です。最初の方が契約者ですか？",
    "two_people_surcharge": "{count}名です。最初の方が契約者ですか。{extra:,}円は2人目の追加料金ですか？",
    "lost_zero": "先頭の0が抜けています。{phone}でよろしいですか？",
    "one_month": "1か月分です。{months_ja}でよろしいですか？",
    "so_many_months": "{count}か月分です。{months_ja}でよろしいですか？",
    "months_of_the_remark": "金額は列に、月は備考にあります。{months_ja}でよろしいですか？",
    "months_without_amount": "月だけで金額がありません。{months_ja}でよろしいですか？",
    "one_sum_of_some_months": "数か月分の合計です。各月いくらですか（{months_ja}）",
    "not_rent": "賃料ではない未収（{what_ja}）です。期日はいつですか？",
    "months_not_told": "何の未収か書かれていません。いつの分ですか？",
    "not_yet_due": "期日{due}は表の日付より後です。未収ですか、まだ期日前ですか？",
    "oldest_first": "古い月から充てると残りは{months_ja}です。よろしいですか？",
    "remark_alone": "未収の記載は備考だけです。{months_ja}でよろしいですか？",
    "mark_unclear": "{months_ja}の印の意味がわかりません。いくら未収ですか？",
    "month_unmarked": "{months_ja}に印がありません。入金済みですか？",
    "paid_ahead": "前受金{yen:,}円です。次の請求に充てる過入金ですか、もう1か月先まで請求済みですか？",
    "starts_later": "表の日付より後の入居です。入居時の請求は発行済みですか。いつの分までですか？",
    "starts_later_paid": "表の日付より後の入居で、契約金は入金済みです。いつの分まで含みますか？",
    "made_again": "再契約済みですが、新しい契約期間がありません",
    "automatic_renewal": "{end}に満了し自動更新です。更新後の満了日はいつですか。それとも月単位の継続ですか？",
    "term_over": "{end}に満了しています。更新後の満了日はいつですか。それとも月単位の継続ですか？",
    "term_ends_soon": "{end}に満了しますが、その後も請求済みです。更新後の満了日はいつですか？",
    "renewed_on": "{renewed}に更新済みです。契約開始日は{start}のままでよろしいですか？",
    "not_made_again": "再契約なしです。{end}に退去しますか。退去届は作られません",
    "notice_in_remark": "備考だけでは退去届になりません。退去届を登録しますか？",
    "free_rent": "フリーレントです。その日まで賃料を0円にしますか？",
    "free_rent_over": "フリーレントは{until}で終わっています。引き継ぐものはありませんか",
    "paid_late": "遅れて入金されています。未収はありませんか",
    "guarantor_pays": "保証会社に請求中です。入居者の未収として残しますか？",
    "left_already": "すでに退去しています。引き継がなくてよろしいですか？",
    "own_terms": "出力後に変更されたセルです。もう一度出力するか、空にしてほかの列から読み込みますか？",
    "unpaid_not_billed": "請求済みの{through}より後の月の賃料が未収になっています",
    "room_taken": "この部屋は{first}から別の予約が入っています",
}


@dataclass(frozen=True, slots=True)
class Question:
    """One question, about a row and a column of it, or about the whole file."""

    code: str
    at: str | None = None
    column: str | None = None
    value: str = ""
    proposal: Any = None
    blocks: bool = False
    facts: dict[str, Any] = field(default_factory=dict)
    meaning: Meaning | None = None
    """The meaning of the column that the question is about."""
    sheet: str | None = None
    """The key of the sheet that the question is about."""
    column_place: int | None = None
    """The column from 0 that a question about a whole column is about."""
    file: str = ""
    """The file whose days are asked."""
    is_file_named: bool = False
    """Whether the words begin with the name of the file, as where there are several."""

    def in_language(self, language: str) -> str:
        """Return the question in the reader's language."""
        if language != "ja":
            return self.why
        return (f"{self.file}：" if self.is_file_named else "") + WORDS_JA[self.code].format(
            **{"months_ja": "", "what_ja": "", "value": self.value, **self.facts}
        )

    @property
    def why(self) -> str:
        """The question in English."""
        return (f"{self.file}: " if self.is_file_named else "") + WORDS[self.code].format(
            **{"value": self.value, **self.facts}
        )

    def shape(self) -> dict[str, Any]:
        """Return the question as JSON data."""
        facts: dict[str, Any] = {}
        if self.at is not None:
            facts = {"at": self.at, "column": self.column, "value": self.value}
        facts["why"] = self.why
        if self.proposal is not None:
            facts["proposal"] = self.proposal
        facts["blocks"] = self.blocks
        return facts

    def place_shape(self) -> dict[str, Any]:
        """Return the question with its whole place as JSON data, for a program that judges it."""
        sheet = None if self.sheet is None else self.sheet.rpartition("/")[2]
        cell = None if self.at is None else self.at.rpartition("!")[2].rpartition(" / ")[2]
        return {
            "code": self.code,
            "at": self.at,
            "sheet": sheet,
            "cell": cell,
            "column": self.column,
            "value": self.value,
            "words": self.why,
            "proposal": self.proposal,
            "blocks": self.blocks,
        }


@dataclass(slots=True)
class ReadUnit:
    """A room named in the file, vacant or not."""

    at: str
    building: str | None
    room: str
    is_vacant: bool = False
    is_owner_use: bool = False
    asking_rent: int | None = None
    fees: dict[str, int] = field(default_factory=dict)
    included: tuple[str, ...] = ()
    owner_name: str = ""
    """The person of the owner's side who lives there; empty when the room is only blocked."""

    def shape(self) -> dict[str, Any]:
        """Return the room as JSON data."""
        facts: dict[str, Any] = {
            "at": self.at,
            "building": self.building,
            "room": self.room,
            "vacant": self.is_vacant,
        }
        if self.is_owner_use:
            facts["ownerUse"] = True
        if self.is_vacant:
            facts["askingRent"] = self.asking_rent
            if self.fees:
                facts["fees"] = self.fees
            if self.included:
                facts["includedFees"] = list(self.included)
        return facts


@dataclass(slots=True)
class ReadTenancy:
    """A running or future tenancy as the file states it; None where it does not say."""

    at: str
    building: str | None
    room: str
    people: list[PersonOfCell]
    phone: str | None = None
    email: str | None = None
    start: date | None = None
    end: date | None = None
    rent: int | None = None
    fees: dict[str, int] = field(default_factory=dict)
    included: tuple[str, ...] = ()
    deposit: int | None = None
    deposit_held: int | None = None
    billed_through: date | None = None
    unpaid: tuple[UnpaidAmount, ...] = ()
    overpaid: int = 0
    guarantor: str | None = None
    has_guarantor: bool = False
    note: str = ""
    free_until: date | None = None
    """The last rent-free day, where an answer states that some are left."""
    notice: FiledNotice | None = None
    """A move-out notice filed elsewhere, as stated in an answer."""
    shown_monthly: int | None = None
    """The monthly sum in the row itself, where it has such a column."""
    own: OwnTerms | None = None
    """The exact terms from an export of this program."""

    @property
    def monthly(self) -> int:
        """The rent and fees of a month."""
        return (self.rent or 0) + sum(self.fees.values())

    def shape(self, *, keeps_notes: bool = True) -> dict[str, Any]:
        """Return the tenancy as JSON data; an empty note only where the file has notes."""
        facts: dict[str, Any] = {
            "at": self.at,
            "building": self.building,
            "room": self.room,
            "people": [self._person_shape(place) for place in range(len(self.people))],
            "start": self.start,
            "end": self.end,
            "rent": self.rent,
            "fees": self.fees,
            "deposit": self.deposit,
            "depositHeld": self.deposit_held,
            "billedThrough": self.billed_through,
            "unpaid": [
                {"for": debt.what, "amount": debt.yen, "dueOn": debt.due_on} for debt in self.unpaid
            ],
            "overpaid": self.overpaid,
        }
        if self.included:
            facts["includedFees"] = list(self.included)
        if self.has_guarantor:
            facts["guarantor"] = self.guarantor
        if self.note or keeps_notes:
            facts["note"] = self.note
        return facts

    def _person_shape(self, place: int) -> dict[str, Any]:
        person = self.people[place]
        facts: dict[str, Any] = {
            "name": person.name,
            "kana": person.kana,
            "role": "coOccupant" if place else "contractHolder",
        }
        if place == 0 and self.phone is not None:
            facts["phone"] = self.phone
        if place == 0 and self.email is not None:
            facts["email"] = self.email
        if person.is_company:
            facts["company"] = True
        return facts


def overlap(tenancy: ReadTenancy, other: ReadTenancy) -> bool:
    """Whether two tenancies of a room overlap."""
    first, second = sorted((tenancy, other), key=lambda found: found.start or date.min)
    return first.end is None or second.start is None or second.start <= first.end


@dataclass(slots=True)
class TakeOver:
    """Everything that was read of one file."""

    file: str
    read_on: date
    encoding: str
    days: dict[str, FileDays] = field(default_factory=dict)
    """The days of each file with tenancies, by its name."""
    sheets: list[dict[str, Any]] = field(default_factory=list)
    units: list[ReadUnit] = field(default_factory=list)
    tenancies: list[ReadTenancy] = field(default_factory=list)
    about_the_file: list[Question] = field(default_factory=list)
    about_rows: list[Question] = field(default_factory=list)
    passed: list[Passed] = field(default_factory=list)
    shown_totals: dict[str, int] = field(default_factory=dict)
    """The sums in the sheets themselves, of rent, deposits and debts."""
    factors: dict[str, int] = field(default_factory=dict)
    """The yen that a 1 in a row is, by place, where its sheet counts in thousands or more."""
    lacks_starts: bool = False
    """Whether a sheet has no column for the start of a tenancy."""
    rolls: int = 0
    """The number of sheets with tenancies."""
    sheets_with_total: Counter[str] = field(default_factory=Counter)
    """How many of these sheets show a sum of rents, deposits or debts, by the name of the sum."""
    keeps_notes: bool = True
    """Whether every sheet has a column of remarks."""
    previews: list[SheetPreview] = field(default_factory=list)
    """Every sheet of every file, those too of which nothing was read."""
    rows: dict[str, LaidRow] = field(default_factory=dict)
    """The rows as the sheets write them, by their places."""
    readings: dict[str, str] = field(default_factory=dict)
    """The readings of buildings that a person gave, by the keys of their names."""

    @property
    def as_of(self) -> date | None:
        """The day that all files are of; None where it is not known, or differs."""
        found = {days.as_of for days in self.days.values()}
        return found.pop() if len(found) == 1 else None

    @property
    def billed_through(self) -> date | None:
        """The last day billed of all files; None where it is not known, or differs."""
        found = {days.billed_through for days in self.days.values()}
        return found.pop() if len(found) == 1 else None

    @property
    def whole_totals(self) -> dict[str, int]:
        """The sheets' sums of everything, without sums that only some of the rolls show."""
        return {
            name: yen
            for name, yen in self.shown_totals.items()
            if self.sheets_with_total[name] in (0, self.rolls)
        }

    @property
    def totals(self) -> dict[str, int]:
        """The sums of what was read."""
        lets = self.tenancies
        return {
            "units": len(self.units),
            "tenancies": len(lets),
            "vacant": sum(unit.is_vacant for unit in self.units),
            "people": sum(len(let.people) for let in lets),
            "rent": sum(let.rent or 0 for let in lets),
            "fees": sum(sum(let.fees.values()) for let in lets),
            "monthly": sum(let.monthly for let in lets),
            "depositHeld": sum(let.deposit_held or 0 for let in lets),
            "unpaid": sum(debt.yen for let in lets for debt in let.unpaid),
            "overpaid": sum(let.overpaid for let in lets),
        }

    def shape(self) -> dict[str, Any]:
        """Return what was read as JSON data."""
        return {
            "file": self.file,
            "encoding": self.encoding,
            "readOn": self.read_on,
            "asOf": self.as_of,
            "billedThrough": self.billed_through,
            "sheets": self.sheets,
            "totals": self.totals,
            "shownTotals": self.shown_totals,
            "questions": [
                question.place_shape() for question in (*self.about_the_file, *self.about_rows)
            ],
            "columns": [preview.shape() for preview in self.previews],
            "askAboutTheFile": [question.shape() for question in self.about_the_file],
            "askAboutRows": [question.shape() for question in self.about_rows],
            "passOver": [{"at": row.at, "why": row.why} for row in self.passed],
            "units": [unit.shape() for unit in self.units],
            "tenancies": [let.shape(keeps_notes=self.keeps_notes) for let in self.tenancies],
        }
