// Brings the copy buttons to life: a page as Markdown, an example as text.
// Without it the buttons stay hidden, and the Markdown link does the same work.
(() => {
  // The contents scroll by themselves: show the place of this page in them.
  document.querySelector(".contents [aria-current]")?.scrollIntoView({ block: "nearest" });

  const frame = document.querySelector("[data-copied]");
  const status = document.querySelector(".status-line");
  if (!frame || !status || !navigator.clipboard) return;

  const say = (words) => {
    status.textContent = "";
    requestAnimationFrame(() => { status.textContent = words; });
  };
  const copy = async (read) => {
    try {
      await navigator.clipboard.writeText(await read());
      say(frame.dataset.copied);
    } catch {
      say(frame.dataset.notCopied);
    }
  };
  const readPage = async (button) => {
    const answer = await fetch(button.dataset.copyPage);
    if (!answer.ok) throw new Error(String(answer.status));
    return answer.text();
  };
  const readExample = async (button) => button.parentElement.querySelector("code").textContent;

  const bring = (selector, read) => {
    for (const button of document.querySelectorAll(selector)) {
      button.hidden = false;
      button.addEventListener("click", () => copy(() => read(button)));
    }
  };
  bring("[data-copy-page]", readPage);
  bring("[data-copy-example]", readExample);
})();
