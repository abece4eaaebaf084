// Bank day by keyboard: j and k move, digits take an offer, Enter opens, u keeps, c records the certain.
(() => {
  const rows = [...document.querySelectorAll("[data-transfer]")];
  const off = document.querySelector("#keys input");
  const move = (by) => {
    const place = rows.indexOf(document.activeElement?.closest("[data-transfer]"));
    rows.at(place < 0 ? 0 : Math.min(Math.max(place + by, 0), rows.length - 1))?.focus();
  };
  addEventListener("keydown", (event) => {
    const { key, target } = event;
    const typing = target.closest?.("input, textarea, select, [contenteditable]");
    if (event.ctrlKey || event.metaKey || event.altKey || typing || off?.checked) return;
    if (document.querySelector("dialog[open]")) return;
    const row = target.closest?.("[data-transfer]");
    const certain = document.querySelector("[data-certain] button");
    const offers = row ? row.querySelectorAll("button[name=offer]") : [];
    const keep = row?.querySelector("[data-keep]");
    if (key === "j") move(1);
    else if (key === "k") move(-1);
    else if (key === "c" && certain) certain.click();
    else if (key === "u" && keep) keep.requestSubmit();
    else if (key === "Enter" && target === row) row.querySelector("a").click();
    else if (/^[1-3]$/.test(key) && offers[key - 1]) offers[key - 1].click();
    else return;
    event.preventDefault();
  });
  if (!document.getElementById("error-summary")) rows[0]?.focus({ preventScroll: true });
})();
