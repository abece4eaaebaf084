// Lists: one box selects all of the page; a press beside an open sheet closes it.
addEventListener("click", ({ target }) => {
  if (target.dataset?.pickAll)
    for (const one of target.closest("table").querySelectorAll("[name]")) one.checked = target.checked;
  for (const one of document.querySelectorAll(".list-menu")) one.open &&= one.contains(target);
});
