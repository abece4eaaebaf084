// Lists: one box selects all of the page.
addEventListener("click", ({ target }) => {
  if (target.dataset?.pickAll)
    for (const one of target.closest("table").querySelectorAll("[name]")) one.checked = target.checked;
});
