// A link with data-drawer opens its page in the drawer; closing gives the focus back.
(() => {
  const drawer = document.getElementById("drawer");
  const body = drawer.querySelector(".drawer-body");
  const title = drawer.querySelector("h2");
  let path = null;
  const show = (href, words) => {
    if (globalThis.unsaved?.mayGo(body) === false) return;
    title.textContent = words;
    path = new URL(href, location.href).pathname;
    body.replaceChildren();
    if (!drawer.open) drawer.showModal();
    return htmx.ajax("GET", href, { source: body, target: body, swap: "innerHTML" });
  };
  addEventListener("click", (event) => {
    let link = event.target.closest?.("a[data-drawer], .drawer-body a");
    const isStep = link && body.contains(link) && !link.matches("[data-drawer]");
    // A step of the page in the drawer stays in it; all else leads out.
    if (isStep && link.pathname !== path) link = null;
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    show(link.href, isStep ? title.textContent : link.dataset.drawer || link.textContent.trim());
  });
  // The script of a page may open one too.
  addEventListener("drawer", ({ detail }) => show(detail.href, detail.title));
  // What is typed in the drawer is answered in the drawer, unless the answer leads on.
  body.addEventListener("submit", (event) => {
    if (event.defaultPrevented) return;
    event.preventDefault();
    const form = event.target;
    const action = event.submitter?.getAttribute("formaction") || form.getAttribute("action");
    htmx.ajax(form.method.toUpperCase(), action, { source: form, target: body, swap: "innerHTML" });
  });
})();
