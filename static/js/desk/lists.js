// Lists: one box selects all of the page; an open sheet closes by Escape or a press beside it.
(() => {
  addEventListener("change", ({ target }) => {
    const name = target.dataset?.pickAll;
    if (!name) return;
    for (const box of target.closest("table").querySelectorAll(`[name="${name}"]`)) box.checked = target.checked;
  });
  const close = (kept) => {
    for (const one of document.querySelectorAll(".list-menu[open]"))
      if (one !== kept) one.open = false;
  };
  addEventListener("click", ({ target }) => close(target.closest?.(".list-menu")));
  addEventListener("keydown", ({ key }) => {
    const open = key === "Escape" && document.querySelector(".list-menu[open]");
    if (!open) return;
    open.open = false;
    open.querySelector("summary").focus();
  });
})();
