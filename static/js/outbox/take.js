// A form that the browser would send is kept instead; of several photos each is a tap of its own.
export async function take(form, path, pressed) {
  const parts = [...new FormData(form, pressed)];
  const texts = parts.filter(([, value]) => typeof value === "string");
  const files = parts.filter(([, value]) => value.size);
  const taps = path.includes("/photos") ? files.map((file) => [...texts, file]) : [parts];
  // Nothing chosen: the program says so.
  if (!taps.length) return form.submit();
  for (const each of taps) await outbox.keep(form, path, each, 0, pressed)[1];
  form.reset();
  delete form.dataset.sent;
  pressed?.removeAttribute("aria-busy");
  send();
}
