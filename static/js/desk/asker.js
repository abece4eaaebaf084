// Once somebody types, or where what was typed was refused, unsaved.js asks before it is lost.
(() => {
  const load = () => import(document.body.dataset.asker);
  const look = () => document.querySelector("[method=post] [aria-invalid=true]") && load();
  addEventListener("input", ({ target }) => { if (target.form?.method === "post") load(); }, true);
  addEventListener("htmx:afterSwap", look);
  look();
})();
