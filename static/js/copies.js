// Buttons that copy the text above them; without scripts they stay hidden, and the text is selected.
(() => {
  const tell = (words) => dispatchEvent(new CustomEvent("say", { detail: words }));
  if (!navigator.clipboard) return;
  for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;
  addEventListener("click", async ({ target }) => {
    const button = target.closest?.("[data-copy]");
    if (!button) return;
    try {
      await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
      tell(button.dataset.copied);
    } catch {
      tell(button.dataset.notCopied);
    }
  });
})();
