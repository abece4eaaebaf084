// Free days begin a reservation in the drawer, a bar shows its stay there; by mouse or pen a bar is
// also dragged to another unit. Each of these has a link or a button that does the same.

const DRAG_FROM = 6;
const BESIDE = 12;
let moved = false;

const inRow = (track, part) => track.closest(".chart-row").querySelector(part);
const tell = (href, title) =>
  dispatchEvent(new CustomEvent("drawer", { detail: { href, title } }));
// The drawer says which unit is booked, as the row's own link does.
const book = (track, href) => tell(href, inRow(track, ".chart-add").getAttribute("aria-label"));

function placeAt(track, x) {
  const box = track.getBoundingClientRect();
  const columns = getComputedStyle(track).gridTemplateColumns.split(" ").length;
  const column = Math.floor(((x - box.left) / box.width) * columns);
  // Three months have one column a day.
  const parts = columns === 92 ? 1 : 2;
  return Math.min(Math.max(Math.floor(column / parts), 0), columns / parts - 1);
}

function dayAt(track, place) {
  // Days are counted in UTC, so no time zone of the viewer moves them.
  const day = new Date(`${track.closest(".chart").dataset.first}T00:00:00Z`);
  day.setUTCDate(day.getUTCDate() + place);
  return day.toISOString().slice(0, 10);
}

addEventListener("click", (event) => {
  const { target } = event;
  const chart = target.closest?.(".chart[data-new]");
  if (!chart || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  const add = target.closest(".chart-add");
  const bar = target.closest(".bar > a");
  // The click that ends a drag opens nothing.
  if (moved) moved = false;
  else if (bar) tell(`${bar.href}/card`, bar.textContent);
  else if (add) book(add, add.href);
  else if (target.matches(".chart-track")) {
    const address = new URL(chart.dataset.new, location.href);
    address.searchParams.set("unitId", target.dataset.unit);
    address.searchParams.set("moveInDate", dayAt(target, placeAt(target, event.clientX)));
    book(target, address.href);
  } else return;
  event.preventDefault();
});

// Moving: the old record ends the day before, so the first day is tomorrow at the earliest.
addEventListener("pointerdown", (down) => {
  moved = false;
  const link = down.target.closest?.(".chart[data-new] .bar > a");
  if (!link || down.button || down.pointerType === "touch") return;
  // The browser's own dragging of links would take over.
  link.draggable = false;
  const bar = link.parentElement;
  const home = bar.closest(".chart-track");
  const label = link.firstElementChild;
  const words = label.textContent;
  const box = bar.getBoundingClientRect();
  const days = [...document.querySelectorAll(".chart-days li")];
  const tomorrow = days.findIndex((day) => day.matches(".chart-today")) + 1;
  const placed = (event) => Math.max(placeAt(over, event.clientX), tomorrow);
  const ended = new AbortController();
  const on = (name, act) => addEventListener(name, act, { signal: ended.signal });
  let over = null;

  const settle = (event) => {
    ended.abort();
    bar.classList.remove("is-moving");
    bar.style.translate = "";
    over?.classList.remove("is-target");
    label.textContent = words;
    if (event.type !== "pointerup" || !over) return;
    const address = new URL(`${link.href}/amendment`);
    const day = dayAt(over, placed(event));
    address.searchParams.set("unitId", over.dataset.unit);
    // Days of a window that lies in the past are left to the form, which begins tomorrow.
    if (day > home.closest(".chart").dataset.today) address.searchParams.set("fromOn", day);
    location.assign(address);
  };
  on("pointermove", (event) => {
    const { clientX: x, clientY: y } = event;
    moved ||= Math.hypot(x - down.clientX, y - down.clientY) > DRAG_FROM;
    if (!moved) return;
    bar.classList.add("is-moving");
    bar.style.translate = `${x - box.left + BESIDE}px ${y - box.top - box.height / 2}px`;
    over?.classList.remove("is-target");
    over = document.elementFromPoint(x, y)?.closest(".chart-track");
    if (over === home) over = null;
    over?.classList.add("is-target");
    label.textContent = over
      ? `${inRow(over, "a").textContent} · ${days[placed(event)]?.textContent.trim() ?? ""}` : words;
  });
  on("pointerup", settle);
  on("pointercancel", settle);
  on("keydown", (event) => event.key === "Escape" && settle(event));
});
