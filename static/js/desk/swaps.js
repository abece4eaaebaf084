// After a part of the page changed: nobody loses their place, and the change is told aloud.
(() => {
  const status = document.getElementById("status");
  const say = (words, isBad = false) => {
    status.textContent = "";
    status.classList.toggle("status-error", isBad);
    requestAnimationFrame(() => { status.textContent = words; });
  };
  // A tap that is kept is shown where it was tapped.
  const isKept = ({ requestConfig }) => requestConfig.headers["Idempotency-Key"];
  addEventListener("say", ({ detail }) => say(detail.value ?? detail));

  addEventListener("htmx:beforeSwap", ({ detail }) => {
    // What went wrong is shown where changes are told; a form that is not accepted stays a form.
    if (detail.xhr.status < 400 || detail.xhr.status === 422 || detail.xhr.status > 404 && isKept(detail)) return;
    Object.assign(detail, { shouldSwap: true, target: status, swapOverride: "innerHTML" });
  });
  addEventListener("htmx:sendError", ({ detail }) => {
    // Nobody waits for what asks by itself.
    if (detail.requestConfig.triggeringEvent?.isTrusted && !isKept(detail)) say(status.dataset.offline, true);
  });

  let tenth = null;
  addEventListener("htmx:afterSettle", ({ target, detail }) => {
    const part = detail.elt?.isConnected ? detail.elt : target;
    const focused = part.querySelector?.("[autofocus]");
    if (focused) focused.focus();
    else if (document.activeElement === document.body && part !== status) {
      part.tabIndex = -1;
      part.focus({ preventScroll: true });
    }
    const words = part.querySelector?.("[data-tenth]");
    if (words && words.dataset.tenth !== tenth) {
      tenth = words.dataset.tenth;
      say(words.textContent.trim());
    }
    const source = part.matches?.("[data-say]") ? part : part.querySelector?.("[data-say]");
    if (source) say(source.dataset.say);
  });

  for (const one of document.querySelectorAll(".tabs [aria-current]"))
    one.scrollIntoView({ block: "nearest", inline: "center" });
})();
