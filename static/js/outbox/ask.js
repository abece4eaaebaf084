// What could not be done as tapped is shown with what stands now, and one of the two is chosen.
function ask(taps) {
  const section = document.getElementById("outbox");
  const open = taps.filter((tap) => tap.answer);
  const list = section.querySelector("ul");
  list.replaceChildren(...open.map(question));
  section.hidden = !open.length;
}

function question(tap) {
  const line = document.getElementById("outbox-tap").content.cloneNode(true);
  const { status, error, who, when, state } = tap.answer;
  const isMet = status === 409 && who;
  const words = isMet ? dataset.metWords : dataset.refusedWords;
  const told = { you: said(tap), who, when, state, error: error ?? status };
  line.querySelector(".alert-title").textContent = tap.about ?? "";
  line.querySelector(".told").textContent = words.replace(/{(\w+)}/g, (_, name) => told[name] ?? "");
  const [mine, theirs, drop] = line.querySelectorAll("button");
  mine.hidden = theirs.hidden = !isMet;
  drop.hidden = isMet;
  mine.addEventListener("click", () => insist(tap));
  for (const button of [theirs, drop]) button.addEventListener("click", () => giveUp(tap));
  return line;
}

// Mine: now that the other move was seen, it counts as seen.
async function insist(tap) {
  const { moves } = tap.answer;
  const parts = tap.parts.filter(([name]) => name !== "moves");
  if (moves !== undefined) parts.push(["moves", String(moves)]);
  delete tap.answer;
  await store("put", { ...tap, parts, after: 0 });
  send();
}

async function giveUp(tap) {
  await store("delete", tap.key);
  await show();
  location.reload();
}
