// A button with data-opens opens the dialog it names.
(() => {
  addEventListener("click", (event) => {
    const name = event.target.closest?.("[data-opens]")?.dataset.opens;
    if (name) document.getElementById(name).showModal();
  });
  // Older browsers: a press beside the sheet closes it too.
  addEventListener("click", ({ target }) => {
    if (target instanceof HTMLDialogElement && !("closedBy" in target)) target.close();
  });
})();
