// Lists: one box selects all of the page, and is off again when one of them is.
addEventListener("change", ({ target }) => {
  const [all, ...boxes] = target.closest("table:has([data-pick-all])")?.querySelectorAll("[type=checkbox]") ?? [];
  if (target === all) for (const one of boxes) one.checked = all.checked;
  else if (all) all.checked = boxes.every((one) => one.checked);
});
