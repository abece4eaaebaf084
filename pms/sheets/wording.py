"""The text of every reason, in English and Japanese: what is wrong and what is expected."""

from typing import Final

SHEET: Final = {
    "empty_file": ("The file is empty.", "ファイルが空です。"),
    "file_too_large": (
        "The file is larger than {most} MiB.",
        "ファイルが {most} MiB を超えています。",
    ),
    "too_many_cells": (
        "The file has more than {most} cells: keep only the table.",
        "ファイルのセルが {most} 個を超えています。表だけを残してください。",
    ),
    "workbook": (
        "This workbook cannot be read (.xls and those with a password are not): save it as .xlsx"
        " without a password, or as CSV.",
        "このブックは読み取れません（.xls とパスワード付きには対応していません）。"
        "パスワードなしの .xlsx か CSV 形式で保存し直してください。",
    ),
    "workbook_too_large": (
        "The workbook unpacks to more than {most} MiB: delete its pictures, or save the sheet as CSV.",
        "ブックを展開すると {most} MiB を超えます。画像を削除するか、シートを CSV で保存してください。",
    ),
    "workbook_contents": (
        "The workbook's list of sheets is larger than {most} MiB: copy the sheet with the table into a"
        " new workbook.",
        "ブックのシート一覧が {most} MiB を超えています。表のあるシートを新しいブックにコピーしてください。",
    ),
    "workbook_sheets": (
        "The workbook has {count} sheets; at most {most} are read: keep those with the table.",
        "ブックのシートが {count} 枚あります（読み取れるのは {most} 枚まで）。"
        "表のあるシートだけを残してください。",
    ),
    "workbook_too_much": (
        "The workbook takes too much memory or time to read: keep only the table, or save the sheet"
        " as CSV.",
        "ブックの読み取りに必要なメモリまたは時間が大きすぎます。表だけを残すか、シートを CSV で"
        "保存してください。",
    ),
    "workbook_reaches_far": (
        "The sheet {sheet} reaches down to row {line} and too far to the right: delete the cells"
        " far from the table, or save the sheet as CSV.",
        "シート「{sheet}」の範囲が広すぎます（{line} 行目まで）。表から離れたセルを削除するか、"
        "CSV で保存してください。",
    ),
    "workbook_without_sheets": (
        "The workbook has no visible sheet.",
        "表示されているシートがありません。",
    ),
    "sheet_unknown": (
        "The workbook has no sheet '{sheet}'; it has: {sheets}.",
        "シート「{sheet}」はありません。このブックのシート: {sheets}",
    ),
    "unknown_encoding": (
        "The encoding is none of UTF-8, UTF-16 with its mark and cp932 (Shift_JIS):"
        " line {line} cannot be read in any of them.",
        "文字コードが UTF-8、BOM 付き UTF-16、cp932（Shift_JIS）のいずれでもありません"
        "（{line} 行目が読み取れません）。",
    ),
    "broken_utf8": (
        "The file is UTF-8 with broken bytes, first on line {line}: save it again as UTF-8.",
        "UTF-8 として壊れた箇所が {line} 行目にあります。UTF-8 で保存し直してください。",
    ),
    "nul_byte": (
        "Line {line} holds a NUL character: this is not a text file.",
        "{line} 行目に NUL 文字があります。テキストの表ではありません。",
    ),
    "quote_never_closed": (
        "The quotation mark opened on line {line} is never closed.",
        "{line} 行目で始まる引用符が閉じられていません。",
    ),
    "takeover_cells": (
        "The files have {count} filled cells; at most {most} are read at once: leave out sheets and"
        " columns that say nothing about tenancies, or import one building after another.",
        "入力のあるセルが {count} 個あります。一度に読み取れるのは {most} 個までです。契約に関係のない"
        "シートや列を除くか、物件ごとに分けて取り込んでください。",
    ),
    "takeover_rows": (
        "The files have {count} rows, without their headings; at most {most} are imported at once:"
        " import one building after another.",
        "見出しを除いて {count} 行あります。一度に取り込めるのは {most} 行までです。"
        "物件ごとに分けて取り込んでください。",
    ),
    "takeover_questions": (
        "The rows raise more than {most} questions, most of them about the column '{title}', as in"
        " {at}: correct it in the file, or leave the column out.",
        "確認が必要な箇所が {most} 件を超えました。多くは列「{title}」です（例: {at}）。"
        "ファイルで直すか、この列を除いてください。",
    ),
    "columns_missing": (
        "No header was found with the columns that must be there; missing: {columns}.",
        "必要な列のある見出し行が見つかりません。足りない列: {columns}",
    ),
    "column_twice": (
        "Line {line}: the columns {first} and {second} mean the same; keep one.",
        "{line} 行目: 列「{first}」と「{second}」は同じ意味です。どちらか一つにしてください。",
    ),
    "too_many_rows": (
        "The file has {count} rows, without its headings; at most {most} are read at once: split it.",
        "見出しを除いて {count} 行あります。一度に読み取れるのは {most} 行までです。分割してください。",
    ),
}

ROWS: Final = {
    "broken_quotes": (
        "the quotation marks are broken; wanted: quotes doubled inside a quoted cell",
        "引用符が正しくありません（引用符で囲んだ中の引用符は二重にしてください）",
    ),
    "wrong_number_of_columns": (
        "{found} columns where the header has {wanted}",
        "見出しの {wanted} 列に対して {found} 列あります（引用符のないカンマなど）",
    ),
    "building_missing": (
        "building missing; wanted: its name here or in the first row of its block",
        "物件名がありません（この行か、ブロックの先頭の行に必要です）",
    ),
    "building_unknown": ("building not known", "登録のない物件です"),
    "unit_unknown": ("unit {unit} is not in {building}", "{building} に {unit} はありません"),
    "unit_missing": ("room number missing", "部屋番号がありません"),
    "same_as_line": (
        "the same building, room and days as line {line} (written {written} there)",
        "{line} 行目と物件・部屋・期間が同じです（そちらの表記: {written}）",
    ),
    "same_unit_as_line": (
        "same building and unit as line {line}",
        "{line} 行目と物件・部屋が同じです",
    ),
    "same_row_as_line": ("the same row as line {line}", "{line} 行目と同じ行です"),
    "overlaps_line": (
        "overlaps the tenancy of the same room on line {line} ({first} to {last})",
        "{line} 行目の同じ部屋の入居期間（{first}～{last}）と重なっています",
    ),
    "overlaps_reservation": (
        "overlaps a reservation of this unit: {first} to {last}",
        "この部屋の既存の予約（{first}～{last}）と重なっています",
    ),
    "overlaps_stored": (
        "overlaps a tenancy already recorded for this room: {first} to {last}; "
        "send that row too with its end if they have left",
        "この部屋の登録済みの入居期間（{first}～{last}）と重なっています"
        "（退去済みなら、その行も終了日を付けて送ってください）",
    ),
    "vacant_with_tenancy": (
        "vacant, but the row has the days of a tenancy",
        "空室ですが契約日が入力されています",
    ),
    "vacant_and_let": (
        "the same room is vacant and let at once: see line {line}",
        "同じ部屋が空室と入居中の両方になっています（{line} 行目）",
    ),
    "type_unknown": (
        "the layout does not show whether this is an apartment or a share house: use --type",
        "間取りから種別（アパート・シェアハウス）が分かりません。--type で指定してください",
    ),
    "tenancy_without_rent": (
        "a tenancy without rent; wanted: the rent in whole yen",
        "賃料のない入居です（円単位の整数で入力してください）",
    ),
    "ended_without_end": (
        "an ended tenancy without its end; wanted: the day it ended",
        "退去済みですが契約終了日がありません",
    ),
    "ended_in_the_future": (
        "marked as ended, but its end {last} is in the future; wanted: the day they left",
        "退去済みですが契約終了日 {last} がまだ来ていません（退去日を入力してください）",
    ),
}

CELLS: Final = {
    "broken_cell": (
        "an error of the spreadsheet; type the value",
        "表計算のエラー値です（正しい値を入力してください）",
    ),
    "room_changed": (
        "{column} '{value}' is what a spreadsheet made of a room name: type the name as text",
        "{column}「{value}」は表計算ソフトが書き換えた部屋名のようです。文字列として入力してください",
    ),
    "not_a_reading": (
        "not a reading in hiragana or katakana",
        "ひらがなかカタカナの読みではありません",
    ),
    "missing": ("missing", "入力がありません"),
    "missing_date": ("date missing", "日付がありません"),
    "name_missing": ("name missing", "氏名がありません"),
    "text_too_long": ("longer than {most} characters", "{most} 文字を超えています"),
    "control_character": ("contains a control character", "制御文字が含まれています"),
    "not_an_email": (
        "not an email address that can be mailed; wanted: name@example.jp in letters without accents, "
        "or blank for none",
        "送信できるメールアドレスではありません（半角の英数字と記号で入力し、ない場合は空欄にしてください）",
    ),
    "not_one_of": (
        "{column} '{value}' is not one of {allowed}",
        "「{value}」は {allowed} のいずれでもありません",
    ),
    "amount_with_decimals": (
        "amount with decimals; wanted: whole yen",
        "金額に小数があります（円単位の整数で入力してください）",
    ),
    "amount_with_sign": (
        "amount with a sign or negative; wanted: whole yen, digits alone",
        "金額に符号が付いているか負の値です（数字だけで入力してください）",
    ),
    "amount_with_currency": (
        "currency sign in an amount; wanted: digits alone",
        "金額に通貨記号があります（数字だけで入力してください）",
    ),
    "amount_with_misplaced_comma": (
        "thousands comma in the wrong place; wanted: 95,000 or 95000",
        "桁区切りのカンマの位置が違います（95,000 か 95000 のように入力してください）",
    ),
    "amount_too_large": ("amount above {most} yen", "金額が {most} 円を超えています"),
    "spreadsheet_error": (
        "an error of the spreadsheet, not an amount; wanted: whole yen",
        "表計算のエラー値です（円単位の整数で入力してください）",
    ),
    "not_an_amount": (
        "not an amount; wanted: whole yen",
        "金額ではありません（円単位の整数で入力してください）",
    ),
    "not_a_whole_number": (
        "not a whole number; wanted: {least} to {most}",
        "整数ではありません（{least}～{most}）",
    ),
    "too_many_entries": ("more than {most} entries", "{most} 件を超えています"),
    "number_out_of_range": ("not within {least} to {most}", "{least}～{most} の範囲にありません"),
    "negative_size": ("negative size", "面積が負の値です"),
    "not_a_size": (
        "not a size; wanted: square metres with at most two decimals",
        "面積ではありません（㎡、小数 2 桁まで）",
    ),
    "not_a_date": (
        "not a date; wanted: 2026-04-01, 2026/4/1, 2026年4月1日, R8.4.1 or 令和8年4月1日",
        "日付ではありません（2026-04-01、2026/4/1、2026年4月1日、R8.4.1、令和8年4月1日など）",
    ),
    "not_a_term": (
        "not a contract period; wanted: its first and last day, such as 2026/4/1～2028/3/31,"
        " or 2026/4/1～ without an end",
        "契約期間ではありません（2026/4/1～2028/3/31、終了日がなければ 2026/4/1～ のように"
        "入力してください）",
    ),
    "differs_from_term": (
        "not the day that the contract period names, {day}",
        "契約期間の日付 {day} と異なります",
    ),
    "two_digit_year": (
        "two-digit year: Western or of an era; wanted: four digits, or the era's letter",
        "年が西暦か和暦か分かりません（西暦 4 桁か元号を付けてください）",
    ),
    "no_such_day": ("'{value}' is not a date", "{value} は存在しない日付です"),
    "day_out_of_range": ("not within {first} to {last}", "{first}～{last} の範囲にありません"),
    "guest_too_long": (
        "{nights} nights after {first}; a guest can stay at most {most}, a longer stay needs a"
        " resident's contract",
        "{first} から {nights} 泊になります。ゲストの滞在は最長 {most} 泊です。それより長い場合は"
        "入居者として契約してください",
    ),
    "end_before_start": (
        "before the start {first}",
        "開始日 {first} より前です",
    ),
}

NOTES: Final = {
    "header": ("header", "見出し行"),
    "above_header": ("above the header", "見出しより上の行"),
    "repeated_header": ("header repeated", "繰り返された見出し行"),
    "blank_line": ("blank line", "空行"),
    "subtotal": ("subtotal row", "小計行"),
    "total": ("total row", "合計行"),
    "note_row": ("note row", "注記の行"),
    "no_email": (
        "no email address: the resident cannot sign in to the portal",
        "メールアドレスがないため、ポータルにログインできません",
    ),
    "lost_zero": (
        "the telephone number may have lost its leading 0",
        "電話番号の先頭の 0 が失われている可能性があります",
    ),
    "building_from_above": (
        "building taken from the row above: {building}",
        "物件名は上の行から補いました: {building}",
    ),
    "coming": ("starts in the future: {first}", "これから始まる入居です: {first}"),
    "planned_departure": (
        "the sheet mentions a move-out; no notice is filed for it",
        "退去予定とありますが、退去届は作成しません",
    ),
    "name_in_vacant_row": (
        "the row is vacant, so the name is not imported",
        "空室の行なので、氏名は取り込みません",
    ),
    "no_reading": (
        "no reading for this name: its address on the website is {slug} until you enter the reading",
        "読み方がないため、ウェブサイト上のアドレスは、読みを入力するまで {slug} です",
    ),
    "new_building": ("the building is new: {building}", "新しい物件です: {building}"),
    "rent_roll_ended": (
        "the tenancy of {name} from {first} is no longer in the sheet: it ends on {last}",
        "{first} からの{name}の入居はこの表にないため、{last} までとします",
    ),
    "rent_roll_withdrawn": (
        "the tenancy of {name} from {first} is no longer in the sheet: it is removed",
        "{first} からの{name}の入居はこの表にないため、取り消します",
    ),
    "type_inferred": (
        "the unit is new; its type is taken from the layout: {type} (use --type to change it)",
        "新しい部屋です。種別は間取りから {type} としました（--type で指定できます）",
    ),
    "unit_fact_of_line": (
        "differs from line {line}, whose value {kept} is kept for the unit",
        "{line} 行目と異なります。部屋の情報には {kept} を使います",
    ),
    "building_fact_kept": (
        "differs from the first row of this building; {kept} is kept",
        "この物件の最初の行と異なります。{kept} を使います",
    ),
    "no_asking_rent": (
        "no asking rent: the unit is not offered by price",
        "募集賃料がないため、価格では並びません",
    ),
    "formula_kept": (
        "looks like a formula: kept as text, made harmless when exported",
        "数式のような文字列です。文字として保存し、出力するときに無害化します",
    ),
    "status_kept": (
        "{kept} is kept: the row has an earlier status",
        "{kept} のままとします（行の値では後戻りします）",
    ),
    "price_missing": (
        "the reservation has no price yet; the import does not set one afterwards",
        "この予約には金額がまだありません。取り込みでは後から設定しません",
    ),
    "price_kept": (
        "the price has a timeline already: {kept} is kept",
        "金額の推移が登録済みのため、{kept} のままとします",
    ),
    "notice_day_unknown": (
        "a move-out without a known filing day",
        "退去日はありますが、届け出日は分かりません",
    ),
}

# Reasons for which a row is accepted only once a person has confirmed it.
ODDITIES: Final = {
    "rent_zero": (
        "the rent is 0 yen: leave the cell blank when it is not known yet",
        "賃料が 0 円です（未定の場合は空欄にしてください）",
    ),
    "era_over": (
        "the era had no such year; counting on, it is {day}",
        "その元号にはない年です（数え続けると {day}）",
    ),
    "unit_in_other_case": (
        "differs from {known} only in capitals: the same unit?",
        "「{known}」と大文字・小文字だけが異なります。同じ部屋ですか",
    ),
    "parking_space": (
        "a parking space rather than a home? It would be offered as one",
        "駐車場・駐輪場のようです。部屋として募集の対象になります",
    ),
    "private_letters": (
        "a private character ({letters}) that other computers cannot show",
        "外字（{letters}）が含まれています。ほかの環境では表示できません",
    ),
    "perhaps_total": (
        "this looks like a line of totals",
        "合計の行のようです",
    ),
}

HEADERS: Final = {
    "read_from_two": (
        "{first} and {second} are read together as one column.",
        "「{first}」と「{second}」を合わせて一つの列として読み取ります。",
    ),
    "half_a_name": (
        "{title} is only a part of the name: no column is read for the other part ({missing}).",
        "「{title}」は氏名の一部です。もう一方の列（{missing}）は読み取っていません。",
    ),
}

WORDS: Final = SHEET | ROWS | CELLS | NOTES | ODDITIES | HEADERS
