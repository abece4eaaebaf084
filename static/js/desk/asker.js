// Once somebody types, or where what was typed was refused, unsaved.js asks before it is lost.
(() => {
  const load = () => import(document.body.dataset.asker);
  addEventListener("input", ({ target }) => { if (target.form?.method === "post") load(); }, true);
  if (document.querySelector("[aria-invalid=true]")) load();
})();
