// Buttons that write a day into a date field; without scripts they stay hidden.
(() => {
  const show = (root) => {
    for (const button of root.querySelectorAll("[data-preset][hidden]")) button.hidden = false;
  };
  addEventListener("click", ({ target }) => {
    const button = target.closest?.("[data-preset]");
    const field = button && document.getElementById(button.dataset.for);
    if (!field) return;
    field.value = button.dataset.preset;
    for (const name of ["input", "change"]) field.dispatchEvent(new Event(name, { bubbles: true }));
  });
  addEventListener("htmx:afterSwap", ({ target }) => show(target));
  show(document);
})();
