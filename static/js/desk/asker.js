// Once somebody types, or acts where what was typed was refused, unsaved.js asks before it is lost.
for (const act of ["input", "keydown", "pointerdown"]) addEventListener(act, ({ target }) => {
  if (act === "input" && target.form?.method === "post" || document.querySelector("[aria-invalid=true]"))
    import(document.body.dataset.asker);
}, true);
