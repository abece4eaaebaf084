// The grid of an import: keys move between rows, copied cells fill many.
(() => {
  const cellOf = (event) => event.target.closest?.("[data-grid] td > .cell");
  const placeOf = (cell) => {
    const lines = cell.closest("tbody").querySelectorAll("tr:not(.ask-row)");
    const rows = [...lines].map((row) => [...row.querySelectorAll("td > .cell")]);
    const down = rows.findIndex((row) => row.includes(cell));
    return [rows, down, rows[down].indexOf(cell)];
  };
  const put = (cell, text) => {
    if (!cell || cell.readOnly || cell.disabled) return;
    const option = [...(cell.options ?? [])].find((each) => each.text === text || each.value === text);
    if (option || !cell.options) cell.value = option?.value ?? text;
  };
  addEventListener("keydown", (event) => {
    const cell = cellOf(event);
    if (!cell || event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return;
    const by = { ArrowDown: 1, ArrowUp: -1, Enter: event.shiftKey ? -1 : 1 }[event.key];
    if (!by || (cell.options && event.key !== "Enter")) return;
    event.preventDefault();
    const [rows, down, across] = placeOf(cell);
    const next = rows[down + by]?.[across];
    next?.focus();
    next?.select?.();
  });
  addEventListener("paste", (event) => {
    const cell = cellOf(event);
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (!cell || !/[\t\n]/.test(text.trim())) return;
    event.preventDefault();
    const [rows, down, across] = placeOf(cell);
    text.replace(/\r?\n$/, "").split(/\r?\n/).forEach((line, under) =>
      line.split("\t").forEach((part, beside) => put(rows[down + under]?.[across + beside], part.trim())),
    );
  });
})();
