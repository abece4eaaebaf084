"""The text of every reason: what is wrong and what is expected."""

from typing import Final

from pms.foundation.translations import deferred_texts

SHEET: Final = deferred_texts(
    {
        "empty_file": "The file is empty.",
        "file_too_large": "The file is larger than {most} MiB.",
        "too_many_cells": "The file has more than {most} cells: keep only the table.",
        "workbook": "This workbook cannot be read (.xls and those with a password are not): save it as .xlsx without a password, or as CSV.",
        "workbook_too_large": "The workbook unpacks to more than {most} MiB: delete its pictures, or save the sheet as CSV.",
        "workbook_contents": "The workbook's list of sheets is larger than {most} MiB: copy the sheet with the table into a new workbook.",
        "workbook_sheets": "The workbook has {count} sheets; at most {most} are read: keep those with the table.",
        "workbook_too_much": "The workbook takes too much memory or time to read: keep only the table, or save the sheet as CSV.",
        "workbook_reaches_far": "The sheet {sheet} reaches down to row {line} and too far to the right: delete the cells far from the table, or save the sheet as CSV.",
        "workbook_without_sheets": "The workbook has no visible sheet.",
        "sheet_unknown": "The workbook has no sheet '{sheet}'; it has: {sheets}.",
        "unknown_encoding": "The encoding is none of UTF-8, UTF-16 with its mark and cp932 (Shift_JIS): line {line} cannot be read in any of them.",
        "broken_utf8": "The file is UTF-8 with broken bytes, first on line {line}: save it again as UTF-8.",
        "nul_byte": "Line {line} holds a NUL character: this is not a text file.",
        "quote_never_closed": "The quotation mark opened on line {line} is never closed.",
        "takeover_cells": "The files have {count} filled cells; at most {most} are read at once: leave out sheets and columns that say nothing about tenancies, or import one building after another.",
        "takeover_rows": "The files have {count} rows, without their headings; at most {most} are imported at once: import one building after another.",
        "takeover_questions": "The rows raise more than {most} questions, most of them about the column '{title}', as in {at}: correct it in the file, or leave the column out.",
        "columns_missing": "No header was found with the columns that must be there; missing: {columns}.",
        "column_twice": "Line {line}: the columns {first} and {second} mean the same; keep one.",
        "too_many_rows": "The file has {count} rows, without its headings; at most {most} are read at once: split it.",
    }
)

ROWS: Final = deferred_texts(
    {
        "broken_quotes": "the quotation marks are broken; wanted: quotes doubled inside a quoted cell",
        "wrong_number_of_columns": "{found} columns where the header has {wanted}",
        "building_missing": "building missing; wanted: its name here or in the first row of its block",
        "building_unknown": "building not known",
        "unit_unknown": "unit {unit} is not in {building}",
        "unit_missing": "room number missing",
        "same_as_line": "the same building, room and days as line {line} (written {written} there)",
        "same_unit_as_line": "same building and unit as line {line}",
        "same_row_as_line": "the same row as line {line}",
        "overlaps_line": "overlaps the tenancy of the same room on line {line} ({first} to {last})",
        "overlaps_reservation": "overlaps a reservation of this unit: {first} to {last}",
        "overlaps_stored": "overlaps a tenancy already recorded for this room: {first} to {last}; send that row too with its end if they have left",
        "vacant_with_tenancy": "vacant, but the row has the days of a tenancy",
        "vacant_and_let": "the same room is vacant and let at once: see line {line}",
        "type_unknown": "the layout does not show whether this is an apartment or a share house: use --type",
        "tenancy_without_rent": "a tenancy without rent; wanted: the rent in whole yen",
        "ended_without_end": "an ended tenancy without its end; wanted: the day it ended",
        "ended_in_the_future": "marked as ended, but its end {last} is in the future; wanted: the day they left",
    }
)

CELLS: Final = deferred_texts(
    {
        "broken_cell": "an error of the spreadsheet; type the value",
        "room_changed": "{column} '{value}' is what a spreadsheet made of a room name: type the name as text",
        "not_a_reading": "not a reading in hiragana or katakana",
        "missing": "missing",
        "missing_date": "date missing",
        "name_missing": "name missing",
        "text_too_long": "longer than {most} characters",
        "control_character": "contains a control character",
        "not_an_email": "not an email address that can be mailed; wanted: name@example.jp in letters without accents, or blank for none",
        "not_one_of": "{column} '{value}' is not one of {allowed}",
        "amount_with_decimals": "amount with decimals; wanted: whole yen",
        "amount_with_sign": "amount with a sign or negative; wanted: whole yen, digits alone",
        "amount_with_currency": "currency sign in an amount; wanted: digits alone",
        "amount_with_misplaced_comma": "thousands comma in the wrong place; wanted: 95,000 or 95000",
        "amount_too_large": "amount above {most} yen",
        "spreadsheet_error": "an error of the spreadsheet, not an amount; wanted: whole yen",
        "not_an_amount": "not an amount; wanted: whole yen",
        "not_a_whole_number": "not a whole number; wanted: {least} to {most}",
        "too_many_entries": "more than {most} entries",
        "number_out_of_range": "not within {least} to {most}",
        "negative_size": "negative size",
        "not_a_size": "not a size; wanted: square metres with at most two decimals",
        "not_a_date": "not a date; wanted: 2026-04-01, 2026/4/1, 2026年4月1日, R8.4.1 or 令和8年4月1日",
        "not_a_term": "not a contract period; wanted: its first and last day, such as 2026/4/1～2028/3/31, or 2026/4/1～ without an end",
        "differs_from_term": "not the day that the contract period names, {day}",
        "two_digit_year": "two-digit year: Western or of an era; wanted: four digits, or the era's letter",
        "no_such_day": "'{value}' is not a date",
        "day_out_of_range": "not within {first} to {last}",
        "guest_too_long": "{nights} nights after {first}; a guest can stay at most {most}, a longer stay needs a resident's contract",
        "end_before_start": "before the start {first}",
    }
)

NOTES: Final = deferred_texts(
    {
        "header": "header",
        "above_header": "above the header",
        "repeated_header": "header repeated",
        "blank_line": "blank line",
        "subtotal": "subtotal row",
        "total": "total row",
        "note_row": "note row",
        "no_email": "no email address: the resident cannot sign in to the portal",
        "lost_zero": "the telephone number may have lost its leading 0",
        "building_from_above": "building taken from the row above: {building}",
        "coming": "starts in the future: {first}",
        "planned_departure": "the sheet mentions a move-out; no notice is filed for it",
        "name_in_vacant_row": "the row is vacant, so the name is not imported",
        "no_reading": "no reading for this name: its address on the website is {slug} until you enter the reading",
        "new_building": "the building is new: {building}",
        "rent_roll_ended": "the tenancy of {name} from {first} is no longer in the sheet: it ends on {last}",
        "rent_roll_withdrawn": "the tenancy of {name} from {first} is no longer in the sheet: it is removed",
        "type_inferred": "the unit is new; its type is taken from the layout: {type} (use --type to change it)",
        "unit_fact_of_line": "differs from line {line}, whose value {kept} is kept for the unit",
        "building_fact_kept": "differs from the first row of this building; {kept} is kept",
        "no_asking_rent": "no asking rent: the unit is not offered by price",
        "formula_kept": "looks like a formula: kept as text, made harmless when exported",
        "status_kept": "{kept} is kept: the row has an earlier status",
        "price_missing": "the reservation has no price yet; the import does not set one afterwards",
        "price_kept": "the price has a timeline already: {kept} is kept",
        "notice_day_unknown": "a move-out without a known filing day",
    }
)

# Reasons for which a row is accepted only once a person has confirmed it.
ODDITIES: Final = deferred_texts(
    {
        "rent_zero": "the rent is 0 yen: leave the cell blank when it is not known yet",
        "era_over": "the era had no such year; counting on, it is {day}",
        "unit_in_other_case": "differs from {known} only in capitals: the same unit?",
        "parking_space": "a parking space rather than a home? It would be offered as one",
        "private_letters": "a private character ({letters}) that other computers cannot show",
        "perhaps_total": "this looks like a line of totals",
    }
)

HEADERS: Final = deferred_texts(
    {
        "read_from_two": "{first} and {second} are read together as one column.",
        "half_a_name": "{title} is only a part of the name: no column is read for the other part ({missing}).",
    }
)

WORDS: Final = {**SHEET, **ROWS, **CELLS, **NOTES, **ODDITIES, **HEADERS}
