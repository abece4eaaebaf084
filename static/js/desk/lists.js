// Lists: one box selects all of the page, and shows when only some are selected.
addEventListener("click", ({ target }) => {
  const all = target.closest?.("table")?.querySelector("[data-pick-all]");
  if (!all) return;
  const boxes = [...all.closest("table").querySelectorAll("tbody [type=checkbox]")];
  if (target === all) for (const one of boxes) one.checked = all.checked;
  const picked = boxes.filter((one) => one.checked).length;
  all.checked = picked > 0 && picked === boxes.length;
  all.indeterminate = picked > 0 && picked < boxes.length;
});
