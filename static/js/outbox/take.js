// A form that the browser or htmx would send is kept instead; of several photos each is a tap of its own.
export async function take(form, path, parts, pressed) {
  const texts = parts.filter(([, value]) => typeof value === "string");
  const files = parts.filter(([, value]) => value.size);
  const taps = path.includes("/photos") ? files.map((file) => [...texts, file]) : [parts];
  // Nothing chosen: the program says so.
  if (!taps.length) return form.submit();
  for (const each of taps) {
    const [key, kept] = outbox.keep(form, path, each, 0, pressed);
    await kept;
    await change(key, place);
  }
  form.reset();
  if (form.matches(".undo-bar")) form.remove();
  delete form.dataset.sent;
  pressed?.removeAttribute("aria-busy");
  send();
}

// Names the task as this page does, for the list of what waits.
function place(tap) {
  const id = taskOf(tap);
  const line = document.querySelector(`[data-line="${id}"] .due-who`);
  const card = line ?? document.getElementById(`task-${id}`) ?? document.querySelector("main");
  const words = card.querySelectorAll(line ? "a, .due-place" : "h1, h3, .task-place, .page-lead");
  return { ...tap, words: tap.words.trim(), about: [...words].slice(0, 2).map((each) => each.textContent.trim()).join(" · ") };
}
