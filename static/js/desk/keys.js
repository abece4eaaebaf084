// Keys of the desk: "/" and Ctrl K search, "?" lists them; single keys can be switched off.
(() => {
  const list = document.getElementById("keys");
  const off = list?.querySelector("input");
  if (!off) return;
  off.checked = localStorage.getItem("keys") === "off";
  off.addEventListener("change", () => localStorage.setItem("keys", off.checked ? "off" : "on"));

  // A page with a search of its own is searched by "/"; Ctrl K always opens the palette.
  const ours = (key) => key === "/" && document.querySelector("[data-slash]");
  const search = (key) =>
    ours(key) ? ours(key).focus() : [...document.querySelectorAll(".title-search, .search-button")].find((one) => one.checkVisibility())?.click();
  // In the palette arrows go from line to line, Enter in the field opens the first.
  const step = (event) => {
    const part = event.target.closest?.(".palette");
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const stops = part ? [part.querySelector("input"), ...part.querySelectorAll(".found a")] : [];
    const to = by ? stops.indexOf(event.target) + by : event.key === "Enter" && event.target === stops[0] ? 1 : 0;
    if (!part || event.isComposing || !by && !to || !stops[to]) return;
    event.preventDefault();
    if (by) stops[to].focus();
    else stops[to].click();
  };
  addEventListener("keydown", step);
  addEventListener("keydown", (event) => {
    const { key, target } = event;
    const chord = event.ctrlKey || event.metaKey;
    const typing = target.closest?.("input, textarea, select");
    const single = !chord && !event.altKey && !typing && !off.checked;
    if (chord && key === "k" || single && key === "/") search(key);
    else if (single && key === "?" && !document.querySelector("dialog[open]")) list.showModal();
    else return;
    event.preventDefault();
  });
})();
