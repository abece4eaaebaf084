// Sends what waits, in the order it was tapped, by one tab at a time; nothing leaves the device's
// list before it was answered, and the key of a tap lets it count once however often it is sent.
let running = null;
let again = false;
let wasCut = false;

export async function send(key) {
  const tap = typeof key === "string" && await store("get", key);
  // What htmx sent and got no answer to is free to be sent from here.
  if (tap) await store("put", { ...place(tap), after: 0, tried: true });
  // What waits is shown at once, whatever another tab is about.
  await show();
  again = Boolean(running);
  running ??= alone(round).finally(() => {
    running = null;
    return again && send();
  });
  return running;
}

const alone = (work) => navigator.locks ? navigator.locks.request("outbox", work) : work();

async function round() {
  let taps = await show();
  await dropRepeated(taps.filter((tap) => !tap.answer && !tap.withdrawn));
  for (const tap of taps) {
    if (!tap.isSmall && tap.path.includes("/photos")) await shrink(tap);
  }
  taps = await show();
  const isCopy = "copy" in document.documentElement.dataset;
  const ripe = taps.filter((tap) => !tap.answer && tap.after <= Date.now());
  if (navigator.onLine && isSentElsewhere(taps) && !isTyping()) return location.reload();
  if (!ripe.length && !isCopy) return;
  // No network, or nobody signed in: what waits keeps waiting, and the next turn comes by itself.
  const token = await freshToken().catch(() => { wasCut = true; });
  if (!token) return;
  // What came after a tap that is not decided yet may depend on it.
  const asked = taps.filter((tap) => tap.answer).map(taskOf);
  const isChanged = await sendAll(ripe, token, new Set(asked));
  await show();
  // A copy that a slow network brought is not asked for again and again.
  if ((isChanged || isCopy && wasCut) && !isTyping()) location.reload();
}

// The same pressed again, because nothing seemed to happen, is one tap; a tick and its opposite are none.
async function dropRepeated(taps) {
  const last = new Map();
  const drop = ({ key }) => {
    known.delete(key);
    return store("delete", key);
  };
  for (const tap of taps) {
    const before = last.get(tap.path);
    last.set(tap.path, tap);
    if (!before || tap.parts.some(([, value]) => value instanceof File)) continue;
    const isSame = JSON.stringify(before.parts) === JSON.stringify(tap.parts);
    const isOpposite = !isSame && /\/points\//.test(tap.path) && !before.tried;
    if (isSame || isOpposite) await drop(tap);
    if (isSame) last.set(tap.path, before);
    if (!isOpposite) continue;
    await drop(before);
    last.delete(tap.path);
  }
}

async function freshToken() {
  const answer = await fetch(dataset.sync, { redirect: "manual", cache: "no-store" });
  document.getElementById("outbox-sign-in").hidden = answer.type !== "opaqueredirect";
  if (!answer.ok) return null;
  const { token, holder } = await answer.json();
  return holder === dataset.holder ? token : null;
}

// Sends in the order of the taps; tells whether anything became of them.
async function sendAll(taps, token, stopped) {
  let isChanged = false;
  for (const { key } of taps) {
    // Somebody may have undone it meanwhile.
    const tap = await change(key, (each) => ({ ...each, tried: true }));
    if (!tap || stopped.has(taskOf(tap))) continue;
    const answer = await (tap.withdrawn ? withdraw(tap, token) : post(tap, token)).catch(() => null);
    if (!answer || answer.status === 429 || answer.status >= 500 || answer.type === "opaqueredirect") break;
    const given = await answer.json().catch(() => ({}));
    const isSent = answer.ok && given.withdrawn !== true;
    const isOpen = !answer.ok && !tap.withdrawn;
    if (isSent && !tap.withdrawn) arrived.set(key, tap);
    isChanged ||= isSent || isOpen;
    if (isOpen) stopped.add(taskOf(tap));
    await change(key, (each) => {
      if (isOpen) return { ...each, answer: { status: answer.status, ...given } };
      // It was undone, but had arrived before.
      return isSent && each.withdrawn ? { ...each, answer: { arrived: true } } : null;
    });
  }
  return isChanged;
}

const headersOf = (key, token) => ({ Accept: "application/json", "Idempotency-Key": key, "X-CSRFToken": token });

function post(tap, token) {
  const body = new FormData();
  for (const [name, value] of tap.parts) if (name !== "csrf_token") body.append(name, value);
  return fetch(tap.path, { method: "POST", body, headers: headersOf(tap.key, token), redirect: "manual" });
}

// Each picture of a tap is known by the key and its number.
function withdraw({ key, path }, token) {
  const headers = headersOf(path.includes("/photos") ? `${key} 0` : key, token);
  return fetch(dataset.withdrawal, { method: "POST", headers, redirect: "manual" });
}

// Nobody loses what they are typing to a page that reads itself anew.
function isTyping() {
  const fields = [...document.querySelectorAll("main textarea, main input")];
  const hasText = fields.some((field) => field.type !== "hidden" && field.value !== field.defaultValue);
  return hasText || Boolean(document.querySelector("dialog[open], [popover]:popover-open"));
}
