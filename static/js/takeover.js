// The grid of taking over: arrows and Enter move between rows, and cells copied from a spreadsheet are
// pasted into as many fields.
(() => {
  const rowsOf = (cell) =>
    [...cell.closest("[data-grid]").querySelectorAll("tbody tr:not(.ask-row)")].map((row) => [
      ...row.querySelectorAll("td > .cell"),
    ]);
  const placeOf = (rows, cell) => {
    const down = rows.findIndex((row) => row.includes(cell));
    return [down, rows[down].indexOf(cell)];
  };
  const go = (cell, by) => {
    const rows = rowsOf(cell);
    const [down, across] = placeOf(rows, cell);
    const next = rows[down + by]?.[across];
    next?.focus();
    next?.select?.();
    return Boolean(next);
  };
  const put = (cell, text) => {
    if (!cell || cell.readOnly || cell.disabled) return;
    if (cell.tagName === "SELECT") {
      const option = [...cell.options].find((one) => one.text === text || one.value === text);
      if (option) cell.value = option.value;
    } else cell.value = text;
  };
  addEventListener("keydown", (event) => {
    const cell = event.target.closest?.("[data-grid] td > .cell");
    if (!cell || event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
    const by = { ArrowDown: 1, ArrowUp: -1, Enter: event.shiftKey ? -1 : 1 }[event.key];
    if (!by || (cell.tagName === "SELECT" && event.key !== "Enter")) return;
    go(cell, by);
    event.preventDefault();
  });
  addEventListener("paste", (event) => {
    const cell = event.target.closest?.("[data-grid] td > .cell");
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!cell || !/[\t\n]/.test(text.trim())) return;
    event.preventDefault();
    const rows = rowsOf(cell);
    const [down, across] = placeOf(rows, cell);
    text.replace(/\r?\n$/, "").split(/\r?\n/).forEach((line, under) => {
      line.split("\t").forEach((part, beside) => put(rows[down + under]?.[across + beside], part.trim()));
    });
  });
})();
