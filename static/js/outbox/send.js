// Sends what waits, in the order it was tapped, by one tab at a time; nothing leaves the device's
// list before it was answered, and the key of a tap lets it count once however often it is sent.
let running = null;
let again = false;
let wasCut = false;

export async function send(key) {
  const tap = typeof key === "string" && await store("get", key);
  // What htmx sent and got no answer to is free to be sent from here.
  if (tap) await store("put", { ...tap, after: 0 });
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
  await dropRepeated(taps);
  for (const tap of taps) {
    if (!tap.isSmall && tap.path.includes("/photos")) await shrink(tap);
  }
  taps = await show();
  mark(taps);
  ask(taps);
  const isCopy = "copy" in document.documentElement.dataset;
  const ripe = taps.filter((tap) => !tap.answer && tap.after <= Date.now());
  if (!ripe.length && !isCopy) return;
  // No network, or nobody signed in: what waits keeps waiting, and the next turn comes by itself.
  const token = await freshToken().catch(() => { wasCut = true; });
  if (!token) return;
  const sent = await sendAll(ripe, token);
  taps = await show();
  mark(taps);
  ask(taps);
  // A copy that a slow network brought is not asked for again and again.
  if ((sent || isCopy && wasCut) && !isTyping()) location.reload();
}

// The same pressed again, because nothing seemed to happen, is one tap.
async function dropRepeated(taps) {
  const last = new Map();
  for (const tap of taps) {
    const made = JSON.stringify(tap.parts);
    const isFile = tap.parts.some(([, value]) => value instanceof File);
    if (!isFile && last.get(tap.path) === made) await store("delete", tap.key);
    last.set(tap.path, made);
  }
}

async function freshToken() {
  const answer = await fetch(dataset.sync, { redirect: "manual", cache: "no-store" });
  document.getElementById("outbox-sign-in").hidden = answer.type !== "opaqueredirect";
  if (!answer.ok) return null;
  const { token, holder } = await answer.json();
  return holder === dataset.holder ? token : null;
}

async function sendAll(taps, token) {
  const stopped = new Set();
  let sent = 0;
  for (const tap of taps) {
    const task = tap.path.replace(/(\/tasks\/[^/]+).*/, "$1");
    // What came after a tap that is not decided yet may depend on it.
    if (stopped.has(task)) continue;
    const answer = await post(tap, token).catch(() => null);
    if (!answer || answer.status === 429 || answer.status >= 500 || answer.type === "opaqueredirect") break;
    if (answer.ok) {
      await store("delete", tap.key);
      sent += 1;
      continue;
    }
    stopped.add(task);
    tap.answer = { status: answer.status, ...await answer.json().catch(() => ({})) };
    await store("put", tap);
  }
  return sent;
}

function post(tap, token) {
  const body = new FormData();
  for (const [name, value] of tap.parts) if (name !== "csrf_token") body.append(name, value);
  const headers = { Accept: "application/json", "Idempotency-Key": tap.key, "X-CSRFToken": token };
  return fetch(tap.path, { method: "POST", body, headers, redirect: "manual" });
}

// Nobody loses what they are typing to a page that reads itself anew.
function isTyping() {
  const fields = [...document.querySelectorAll("main textarea, main input")];
  const hasText = fields.some((field) => field.type !== "hidden" && field.value !== field.defaultValue);
  return hasText || Boolean(document.querySelector("dialog[open]"));
}
