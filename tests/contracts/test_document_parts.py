"""A document is read in two parts: what was agreed, then the articles."""

from pms.contracts.merged_documents import document


def test_what_stands_before_the_first_article_is_what_was_agreed() -> None:
    merged = document("# Lease\n\nRoom 101\n\n## Article 1\n\nUse\n\n## Article 2\n\nRent\n", "en")
    assert merged.title == "Lease"
    assert merged.agreed == "<p>Room 101</p>\n"
    assert merged.articles.startswith("<h2>Article 1</h2>")
    assert merged.html == merged.agreed + merged.articles
    assert "Article 2" in merged.articles


def test_a_document_without_articles_is_one_part() -> None:
    merged = document("# Lease\n\nRoom 101\n", "en")
    assert merged.agreed == ""
    assert merged.articles == merged.html == "<p>Room 101</p>\n"
