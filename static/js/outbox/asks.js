// What could not be done as it was tapped: what was meant, what stands now, who did it and when.
let isListed = false;

// Of several moves of one task the last is what is meant, and they are one question.
function questions(taps) {
  const moved = new Set();
  const isFirst = (tap) => !isMove(tap) || !moved.has(taskOf(tap)) && moved.add(taskOf(tap));
  return taps.filter((tap) => tap.answer && isFirst(tap)).map((tap) => {
    const moves = isMove(tap) ? taps.filter((each) => isMove(each) && taskOf(each) === taskOf(tap)) : [tap];
    return [tap, question(tap, moves)];
  });
}

function question(tap, moves) {
  const { content, dataset: text } = document.getElementById("tap-met");
  const box = content.firstElementChild.cloneNode(true);
  const { status, error, who, when, state: now, moves: seen, anyway, arrived: isSent } = tap.answer;
  const meant = moves.at(-1);
  const [own, theirs] = box.querySelectorAll("dl > div");
  const [mine, keep] = box.querySelectorAll("button");
  box.dataset.tap = tap.key;
  box.querySelector(".alert-title").textContent = who ? text.met : isSent ? text.arrived : text.refused;
  box.querySelector(".tap-about").textContent = tap.about;
  own.firstElementChild.append(` ${time(meant.at)}`);
  own.lastElementChild.textContent = [describe(meant), isMove(meant) && valueOf(meant, "note")].filter(Boolean).join("\n");
  theirs.hidden = !who;
  theirs.firstElementChild.textContent = [who, when].filter(Boolean).join(" ");
  theirs.lastElementChild.textContent = now ?? "";
  box.querySelector(".tap-error").textContent = who || isSent ? "" : error ?? status;
  mine.hidden = seen === undefined;
  mine.textContent = text.mine.replace("{}", describe(meant));
  keep.textContent = isSent ? text.ok : who && now ? text.theirs.replace("{}", now) : text.drop;
  mine.addEventListener("click", () => insist(moves, seen, anyway));
  keep.addEventListener("click", () => giveUp(moves));
  return box;
}

// Mine: now that the other move, or what is still open, was seen, it counts as seen.
async function insist(moves, seen, anyway) {
  const meant = moves.at(-1);
  for (const { key } of moves.slice(0, -1)) {
    known.delete(key);
    await store("delete", key);
  }
  const kept = meant.parts.filter(([name]) => name !== "moves" && name !== "anyway");
  const parts = [...kept, ["moves", String(seen)], ...(anyway ? [["anyway", "1"]] : [])];
  await change(meant.key, ({ answer, ...tap }) => ({ ...tap, parts, after: 0 }));
  send();
}

async function giveUp(moves) {
  for (const { key } of moves) await store("delete", key);
  await show();
  if (!isTyping()) location.reload();
}

// What has no place on this page is listed above it: questions always, what waits when it is asked for.
function listed(waiting, asks) {
  const section = document.getElementById("outbox");
  const rows = isListed ? waiting.map((tap) => [tap, waits(tap)]) : [];
  section.querySelector("ul").replaceChildren(...[...asks, ...rows].map(row));
  section.querySelector(".hint").hidden = Boolean(asks.length || waiting.length);
  section.hidden = !asks.length && !isListed;
}

function row([tap, line]) {
  const made = document.createElement("li");
  const link = document.createElement("a");
  link.href = tap.path.replace(/(\/(?:tasks|move-outs)\/[^/]+).*/, "$1");
  link.textContent = tap.about;
  const about = line.querySelector(".tap-about");
  if (about) about.replaceChildren(link);
  else line.querySelector("p").prepend(link);
  made.append(line);
  return made;
}

// The mark at the top leads to what is to be decided, else it opens and shuts the list of what waits.
export async function list() {
  const question = document.querySelector("main .tap-met");
  if (!question) isListed = !isListed;
  await show();
  const found = question?.isConnected ? question : document.querySelector("main .tap-met, #outbox:not([hidden])");
  found?.scrollIntoView({ block: "center" });
  (found?.querySelector("button:not([hidden])") ?? found)?.focus({ preventScroll: true });
}
