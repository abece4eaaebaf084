// Tasks on the board and in lists: the menu of moves, keys, and what follows a move: the card goes
// to its column, the focus to the card after it. Each of these has a plain button that does the same.
(() => {
  const menu = document.getElementById("moves");
  if (!menu) return;
  let open = null;
  let after = null;

  const send = (card, { dataset: { state, reason = "" }, textContent }) => {
    if (card.dataset.state === state && !reason) return;
    const form = card.querySelector("form");
    const add = (tag, facts) =>
      form.appendChild(Object.assign(document.createElement(tag), { hidden: true, ...facts }));
    const why = add("input", { name: "holdReason", value: reason });
    const press = add("button", { name: "state", value: state, textContent });
    press.click();
    why.remove();
    press.remove();
  };
  const move = (card, state) => send(card, menu.querySelector(`[data-state=${state}]`));
  const ask = (card) => {
    const opener = card?.querySelector(".task-move");
    opener?.focus();
    opener?.click();
    menu.querySelector("button").focus();
  };
  // A card that was dragged on hold still needs a reason; letting go would close the menu at once.
  addEventListener("move", ({ detail: { card, state } }) => {
    if (state === "on_hold") setTimeout(ask, 0, card);
    else move(card, state);
  });
  menu.addEventListener("click", ({ target }) => {
    const choice = target.closest("[data-state]");
    if (!choice) return;
    menu.hidePopover();
    send(open, choice);
  });
  addEventListener("click", ({ target }) => {
    open = target.closest?.(".task-move")?.closest(".task-card") ?? open;
  }, true);

  const focus = (part) => (part.querySelector("h3 a") ?? part).focus();
  addEventListener("htmx:beforeRequest", ({ detail: { target: card } }) => {
    const column = card.closest(".column");
    after = column && (card.nextElementSibling ?? card.previousElementSibling ?? column.querySelector("h2"));
  });
  addEventListener("htmx:afterSettle", ({ target: card }) => {
    if (!card.matches(".task-card")) return;
    // A second tap was meant for the button that stood here before.
    card.classList.add("is-new");
    setTimeout(() => card.classList.remove("is-new"), 400);
    const column = document.querySelector(`.column[data-state=${card.dataset.state}] .column-cards`);
    if (column && column !== card.parentElement) {
      column.prepend(card);
      focus(after);
    } else card.querySelector("form button").focus();
  });

  const step = (here, by) => {
    const cards = [...document.querySelectorAll(".task-card")].filter((card) => card.checkVisibility());
    const next = cards[here ? cards.indexOf(here) + by : 0];
    if (next) focus(next);
  };
  const keys = {
    j: (here) => step(here, 1),
    k: (here) => step(here, -1),
    s: (here) => here && move(here, "doing"),
    d: (here) => here && move(here, "done"),
    m: ask,
  };
  addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || localStorage.getItem("keys") === "off"
      || !keys[key] || target.closest("input, textarea, select, dialog, [popover]:popover-open")) return;
    keys[key](target.closest(".task-card"));
    event.preventDefault();
  });
  // Dragging is for a mouse or a pen, and is asked for when one comes.
  addEventListener("pointerover", ({ target, pointerType }) => {
    if (pointerType !== "touch" && target.closest?.(".board")) import(menu.dataset.drag);
  });
})();
