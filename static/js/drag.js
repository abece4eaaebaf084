// By mouse or pen a card is also dragged to another column; its buttons do the same.
// No library: SortableJS weighs as much as htmx, and what most of it does (sorting within lists,
// dragging by touch) the board does not want: days order a column, and a thumb scrolls.
addEventListener("pointerdown", (down) => {
  const card = down.target.closest?.(".column .task-card");
  if (!card || down.button || down.pointerType === "touch" || down.target.closest("a, button")) return;
  const ended = new AbortController();
  const on = (name, act) => addEventListener(name, act, { signal: ended.signal });
  let over = null;
  let moved = false;
  const settle = ({ type }) => {
    ended.abort();
    card.classList.remove("is-moving");
    card.style.translate = "";
    over?.classList.remove("is-target");
    if (type !== "pointerup" || !over) return;
    dispatchEvent(new CustomEvent("move", { detail: { card, state: over.dataset.state } }));
  };
  on("pointermove", ({ clientX: x, clientY: y }) => {
    const [right, below] = [x - down.clientX, y - down.clientY];
    moved ||= Math.hypot(right, below) > 6;
    if (!moved) return;
    card.classList.add("is-moving");
    card.style.translate = `${right}px ${below}px`;
    over?.classList.remove("is-target");
    over = document.elementFromPoint(x, y)?.closest(".column");
    if (over?.contains(card)) over = null;
    over?.classList.add("is-target");
  });
  on("pointerup", settle);
  on("pointercancel", settle);
  on("keydown", (event) => event.key === "Escape" && settle(event));
});
