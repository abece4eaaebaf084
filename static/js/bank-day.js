// Bank matching by keyboard: j and k move, digits take an offer, Enter opens, u puts in suspense,
// c records the certain. After an act in a row the focus is on the row that stands in its place.
(() => {
  const rows = [...document.querySelectorAll("[data-transfer]")];
  const off = document.querySelector("#keys input");
  const move = (by) => {
    const place = rows.indexOf(document.activeElement?.closest("[data-transfer]"));
    rows.at(place < 0 ? 0 : Math.min(Math.max(place + by, 0), rows.length - 1))?.focus();
  };
  addEventListener("keydown", (event) => {
    const { key, target } = event;
    const typing = target.closest?.("input, textarea, select");
    if (event.ctrlKey || event.metaKey || event.altKey || typing || off?.checked) return;
    if (document.querySelector("dialog[open]")) return;
    const row = target.closest?.("[data-transfer]");
    const certain = document.querySelector("[data-certain] button");
    const offers = row ? row.querySelectorAll("button[name=offer]") : [];
    const keep = row?.querySelector("[data-keep]");
    if (key === "j") move(1);
    else if (key === "k") move(-1);
    else if (key === "c" && certain) certain.click();
    else if (key === "u" && keep) keep.matches("form") ? keep.requestSubmit() : keep.click();
    else if (key === "Enter" && target === row) row.querySelector("a").click();
    else if (/^[1-3]$/.test(key) && offers[key - 1]) offers[key - 1].click();
    else return;
    event.preventDefault();
  });
  const next = "bank-next-transfer";
  addEventListener("submit", ({ target }) => {
    const row = target.closest("[data-transfer]");
    const place = rows.indexOf(row);
    if (row) sessionStorage.setItem(next, (rows[place + 1] ?? rows[place - 1])?.dataset.transfer ?? "");
  });
  const wanted = sessionStorage.getItem(next);
  sessionStorage.removeItem(next);
  const stood = rows.find((row) => wanted && row.dataset.transfer === wanted);
  if (document.getElementById("error-summary")) return;
  if (stood) {
    stood.scrollIntoView({ block: "center" });
    stood.focus({ preventScroll: true });
  } else rows[0]?.focus({ preventScroll: true });
})();
