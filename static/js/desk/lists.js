// Lists: one box selects all of the page; a press beside an open sheet closes it.
(() => {
  addEventListener("change", ({ target }) => {
    const name = target.dataset?.pickAll;
    if (name) for (const box of target.closest("table").querySelectorAll(`[name="${name}"]`)) box.checked = target.checked;
  });
  addEventListener("click", ({ target }) => {
    for (const one of document.querySelectorAll(".list-menu[open]")) if (!one.contains(target)) one.open = false;
  });
})();
