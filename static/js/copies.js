// Buttons that copy the text beside them; without a clipboard they stay hidden, and people select the text.
(() => {
  if (!navigator.clipboard) return;
  const notes = new Map();
  const textOf = (button) => document.getElementById(button.dataset.copy);
  for (const button of document.querySelectorAll("[data-copy]")) {
    button.hidden = false;
    // The dashboard tells it in its status line; among facts to copy it is told beside each.
    if (!button.closest(".copied-facts")) continue;
    const near = document.createElement("span");
    near.className = "hint copied-note";
    near.setAttribute("role", "status");
    textOf(button).parentElement.append(near);
    notes.set(button, near);
  }
  const tell = (button, words) => {
    if (!notes.has(button)) return dispatchEvent(new CustomEvent("say", { detail: words }));
    for (const [one, near] of notes) near.textContent = one === button ? words : "";
  };
  addEventListener("click", async ({ target }) => {
    const button = target.closest?.("[data-copy]");
    if (!button) return;
    const text = textOf(button);
    try {
      await navigator.clipboard.writeText(text.textContent);
      tell(button, button.dataset.copied);
    } catch {
      // A browser that forbids copying still offers it for a selection.
      getSelection().selectAllChildren(text);
      tell(button, button.dataset.notCopied);
    }
  });
})();
