// A form that was sent is not sent again: three fast clicks make one request.
(() => {
  const free = (form) => {
    delete form.dataset.sent;
    for (const button of form.querySelectorAll("[aria-busy]")) button.removeAttribute("aria-busy");
  };
  addEventListener("submit", (event) => {
    const form = event.target;
    if (form.method !== "post" || event.defaultPrevented) return;
    if (form.dataset.sent) {
      event.preventDefault();
      event.stopImmediatePropagation();
      return;
    }
    form.dataset.sent = "1";
    event.submitter?.setAttribute("aria-busy", "true");
    // A file that is saved leaves the page standing.
    setTimeout(free, 8000, form);
  }, true);
  const freeAll = () => document.querySelectorAll("[data-sent]").forEach(free);
  addEventListener("pageshow", freeAll);
  addEventListener("htmx:afterRequest", freeAll);
})();
