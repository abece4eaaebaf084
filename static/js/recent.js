// The records opened last, kept until sign-out, stand first in the palette.
(() => {
  const { pathname } = location;
  const name = `recent:${pathname.split("/")[2]}`;
  const others = JSON.parse(localStorage.getItem(name) || "[]").filter(([href]) => href !== pathname);
  if (/\/[0-9a-f]{32}$/.test(pathname))
    localStorage.setItem(name, JSON.stringify([[pathname, document.title.split(" - ")[0]], ...others].slice(0, 7)));
  addEventListener("htmx:afterSettle", () => {
    const part = document.querySelector(".recent[hidden]");
    if (!part || !others[0]) return;
    const line = part.querySelector("li");
    for (const [href, textContent] of others) Object.assign(part.querySelector("ul").appendChild(line.cloneNode(true)).querySelector("a"), { href, textContent });
    line.remove();
    part.hidden = false;
  });
})();
