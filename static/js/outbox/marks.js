// What waits is shown where it was tapped: the task as it will stand, marked, with the way back.
const { dataset: words } = document.getElementById("tap-waits");
// Sent while somebody types, so that the page was not read anew: shown, and no longer marked.
const arrived = new Map();
const changed = new WeakMap();
const NEXT = { todo: ["doing", "start"], on_hold: ["doing", "goOn"], doing: ["done", "finish"] };

function mark(taps) {
  const waiting = taps.filter((tap) => !tap.answer && !tap.withdrawn && (!tap.after || tap.after <= Date.now()));
  const asks = questions(taps);
  for (const part of document.querySelectorAll(".task-card[id], [data-task], [data-line]")) {
    const id = part.dataset.task ?? part.dataset.line ?? part.id.slice(5);
    const isOwn = (tap) => taskOf(tap) === id;
    const sent = [...arrived.values()].filter(isOwn);
    const own = waiting.filter(isOwn);
    const met = part.dataset.line || !part.checkVisibility() ? [] : asks.filter(([tap]) => isOwn(tap));
    for (const one of met) asks.splice(asks.indexOf(one), 1);
    const made = JSON.stringify([sent.length, own.map(({ key }) => key), met.map(([{ key, answer }]) => [key, answer])]);
    if (made === (part.dataset.taps ?? "[0,[],[]]")) continue;
    part.dataset.taps = made;
    redraw(part, [...sent, ...own], own, met);
  }
  listed(waiting, asks);
}

function redraw(part, taps, own, met) {
  const { activeElement: focused } = document;
  const hadFocus = part.contains(focused);
  for (const [now, was] of changed.get(part) ?? []) {
    now.replaceWith(was);
    htmx.process(was);
  }
  changed.set(part, []);
  if (part.dataset.was) part.dataset.state = part.dataset.was;
  for (const line of part.querySelectorAll(".tap-waits, .tap-met")) line.remove();
  const move = taps.findLast(isMove);
  if (part.dataset.line) tell(part, own);
  else if (part.dataset.task) changePage(part, taps, move);
  else if (move) changeCard(part, move);
  const lines = part.dataset.line ? [] : own.filter((tap) => tap === own.findLast(isMove) || /\/(notes|photos|rooms)/.test(tap.path));
  for (const tap of lines) put(part, tap, waits(tap));
  for (const [tap, box] of met) put(part, tap, box);
  // A second tap was meant for the button that stood here before.
  for (const each of [part, ...part.querySelectorAll(".task-steps")]) {
    if (!each.matches(".task-card, .task-steps")) continue;
    each.classList.add("is-new");
    setTimeout(() => each.classList.remove("is-new"), 400);
  }
  if (hadFocus && document.activeElement === document.body) {
    (document.getElementById(focused.id) ?? part.querySelector(".tap-waits button, h3 a, .task-steps button"))?.focus({ preventScroll: true });
  }
}

// Gives a part of the page to be changed; it stands as it was once nothing waits.
function old(part, element) {
  changed.get(part).push([element, element.cloneNode(true)]);
  return element;
}

function changeCard(card, tap) {
  const to = valueOf(tap, "state");
  card.dataset.was ??= card.dataset.state;
  card.dataset.state = to;
  const form = old(card, card.querySelector("form"));
  const facts = card.querySelector(".task-facts");
  if (facts) old(card, facts).querySelector(".tag")?.parentElement.remove();
  const button = form.querySelector("[name=state]") ?? form.insertBefore(document.createElement("button"), form.lastElementChild);
  const [value, step] = NEXT[to] ?? [];
  if (!value) return button.remove();
  const name = [...card.querySelectorAll("h3, .task-place")].map((each) => each.textContent.trim()).join(", ");
  Object.assign(button, { type: "submit", name: "state", value, id: `go-${taskOf(tap)}`, textContent: words[step] });
  button.className = to === "doing" ? "button" : "button button-plain";
  button.setAttribute("aria-label", `${words[step]}: ${name}`);
}

function changePage(page, taps, move) {
  if (move) {
    const to = valueOf(move, "state");
    const tag = old(page, page.querySelector(".page-header .tag"));
    Object.assign(tag, { className: "tag tag-soft", textContent: describe(move) });
    const steps = old(page, page.querySelector(".task-steps"));
    const [value, step] = NEXT[to] ?? [];
    const form = steps.querySelector("form");
    if (value && !form.querySelector(`[name=state][value=${value}]`)) {
      const button = Object.assign(document.createElement("button"), { type: "submit", name: "state", value });
      button.className = "button";
      form.prepend(button);
    }
    for (const button of form.querySelectorAll("[name=state]")) {
      const isNext = value === button.value;
      if (isNext && step !== "finish") button.textContent = words[step];
      button.hidden = button.value === to || to === "done" && button.value === "doing";
      button.classList.toggle("button-plain", !isNext);
    }
    steps.querySelector(".task-hold")?.toggleAttribute("hidden", to === "done");
  }
  const points = new Map(taps.filter((tap) => /\/points\//.test(tap.path)).map((tap) => [tap.path, tap]));
  for (const [path, tap] of points) {
    const form = page.querySelector(`form[action="${path}"]`);
    if (form) tick(old(page, form).querySelector("button"), Boolean(valueOf(tap, "ticked")));
  }
}

// A point is undone by tapping it again.
function tick(button, isTicked) {
  button.value = isTicked ? "" : "1";
  button.setAttribute("aria-pressed", isTicked);
  const icon = isTicked ? [document.getElementById("tap-tick").content.cloneNode(true)] : [];
  button.querySelector(".point-box").replaceChildren(...icon);
  button.querySelector(".point-words").querySelectorAll(".hint").forEach((each) => each.remove());
  button.querySelector(".point-words").append(waits({ parts: [], path: "", words: "" }).querySelector(".tap-calm"));
}

function tell(line, taps) {
  const move = taps.findLast(isMove);
  if (!taps.length) return;
  const waiting = waits(move ?? taps.at(-1));
  waiting.querySelector("button").remove();
  const tag = move && line.querySelector(".due-fact > .tag");
  if (tag) old(line, tag).hidden = true;
  line.querySelector(".due-who").append(waiting);
}

function put(part, tap, line) {
  const steps = part.querySelector(".task-steps") ?? part.querySelector(".page-header");
  const form = /\/(notes|photos|rooms)/.test(tap.path) && part.querySelector(`form[action="${tap.path}"]`);
  if (form) form.before(line);
  else if (steps) steps.after(line);
  else part.append(line);
}

function waits(tap) {
  const line = document.getElementById("tap-waits").content.firstElementChild.cloneNode(true);
  const isNote = /\/notes/.test(tap.path);
  const [tag, note] = [line.querySelector(".tag"), line.querySelector(".tap-note")];
  line.dataset.tap = tap.key;
  tag.textContent = isNote ? "" : describe(tap);
  note.textContent = isNote ? describe(tap) : valueOf(tap, "note") ?? "";
  line.querySelector("button").addEventListener("click", () => undo(tap));
  return line;
}
