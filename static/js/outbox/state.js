// Says on the page whether everything has arrived, and to the sign-out page how much has not.
const { store, asked, state, dataset } = outbox;
document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: dataset.sheet }));

async function show() {
  const all = await store("getAll");
  const own = all.filter((tap) => tap.holder === dataset.holder);
  const seen = own.filter(isSeen);
  const open = own.filter((tap) => tap.answer).length;
  dataset.state = open ? "open" : seen.length ? "waiting" : "saved";
  const words = dataset[`${dataset.state}Words`].replace("{}", open || seen.length);
  state.firstElementChild.textContent = navigator.onLine ? words : dataset.offlineWords.replace("{}", words);
  document.cookie = `waiting=${all.filter(isSeen).length}; path=/; max-age=2592000; samesite=lax`;
  mark(own);
  for (const { key, answer } of seen) if (!answer) known.add(key);
  return own;
}

// What this page showed as waiting, and another tab has sent.
const known = new Set();
const isSentElsewhere = (taps) => [...known].some((key) => !taps.some((tap) => tap.key === key && !tap.answer));

// What was undone after it was sent stays in the list, unseen, until the program has let it go.
const isSeen = (tap) => tap.answer || !tap.withdrawn;

// Reads and writes one tap in one go, so that nothing is sent and undone at the same time: `edit`
// gives the tap as it is to be, null to drop it, or nothing to leave it.
function change(key, edit) {
  const taps = asked.result.transaction("taps", "readwrite").objectStore("taps");
  return new Promise((done, failed) => {
    let made;
    taps.get(key).onsuccess = ({ target: { result } }) => {
      made = result && edit(result);
      if (made) taps.put(made);
      if (made === null) taps.delete(key);
    };
    Object.assign(taps.transaction, { oncomplete: () => done(made), onabort: failed });
  });
}

const taskOf = (tap) => tap.path.replace(/.*\/(?:tasks|move-outs)\/([^/]+).*/, "$1");
const isMove = (tap) => /\/moves/.test(tap.path);
const valueOf = (tap, name) => tap.parts.find(([each]) => each === name)?.[1];

// A move is told by the state it leads to, a note by its text, a picture by its name.
function describe(tap) {
  const reason = valueOf(tap, "holdReason");
  const photo = tap.parts.find(([, each]) => each instanceof File)?.[1];
  if (isMove(tap)) return words[valueOf(tap, "state")] + (reason ? `: ${words[reason]}` : "");
  return photo?.name || /\/notes/.test(tap.path) && valueOf(tap, "text") || tap.words;
}

function time(at) {
  const day = new Date(at).toDateString() === new Date().toDateString() ? {} : { month: "numeric", day: "numeric" };
  const form = { ...day, hour: "2-digit", minute: "2-digit", hourCycle: "h23" };
  return new Date(at).toLocaleString(document.documentElement.lang, form);
}

async function undo({ key }) {
  const tap = await store("get", key);
  // What may have been sent is let go by the program: it may have arrived.
  await change(key, (each) => each.tried || each.after ? { ...each, withdrawn: true } : null);
  known.delete(key);
  const form = tap && document.querySelector(`form[action="${tap.path}"]`);
  const field = form?.querySelector("textarea");
  if (field && !field.value) field.value = valueOf(tap, field.name) ?? "";
  await show();
  send();
}
