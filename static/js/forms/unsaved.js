// What was typed into a form and not sent is not lost by a link, another form or a swapped part without
// a question. Forms that only search (method get) are left out; the layout gives the words.
globalThis.unsaved = (() => {
  const words = document.body.dataset.unsaved;
  const sent = new WeakSet();
  const isChanged = (field) => {
    if (field.type === "hidden" || field.disabled) return false;
    if (/^(checkbox|radio)$/.test(field.type)) return field.checked !== field.defaultChecked;
    if (field.type === "file") return field.files.length > 0;
    const options = [...(field.options ?? [])];
    // A select without a chosen default begins with its first option.
    const isFirst = !field.multiple && !options.some((each) => each.defaultSelected);
    if (field.options) return options.some((each, at) => each.selected !== (each.defaultSelected || isFirst && !at));
    return "defaultValue" in field && field.value !== field.defaultValue;
  };
  // What was refused was typed too, although it is what the page came with.
  const isTyped = (form) => form.method === "post" && !sent.has(form)
    && [...form.elements].some((field) => isChanged(field) || field.getAttribute?.("aria-invalid") === "true");
  const find = (root, but) => words && [...(root.matches?.("form") ? [root] : root.querySelectorAll?.("form") ?? [])]
    .find((form) => isTyped(form) && !form.contains(but));
  const mayGo = (root, but) => !find(root, but) || confirm(words);

  addEventListener("beforeunload", (event) => {
    if (find(document)) event.preventDefault();
  });
  addEventListener("submit", ({ target }) => sent.add(target), true);
  addEventListener("input", ({ target }) => target.form && sent.delete(target.form), true);
  // A request that failed has not sent anything.
  addEventListener("htmx:sendError", ({ target }) => sent.delete(target.closest?.("form") ?? target));
  addEventListener("htmx:beforeRequest", (event) => {
    const { elt, target, requestConfig } = event.detail;
    if (!find(target, elt)) return;
    // What a part asks for by itself waits; whoever pressed something is asked.
    if (!requestConfig.triggeringEvent?.isTrusted || !confirm(words)) event.preventDefault();
  });
  // A sheet over the page closes with what was typed in it.
  const keepSheet = (event, sheet) => {
    if (sheet?.open && !mayGo(sheet)) event.preventDefault();
  };
  addEventListener("cancel", (event) => keepSheet(event, event.target), true);
  addEventListener("click", (event) => keepSheet(event, event.target.closest?.("[method=dialog] button")?.closest("dialog")), true);
  return { mayGo };
})();
