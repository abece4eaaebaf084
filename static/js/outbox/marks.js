// What waits is marked where it was tapped, and told apart from what is saved.
function mark(taps) {
  const waiting = taps.filter((tap) => !tap.answer && tap.after <= Date.now());
  const keys = new Set(waiting.map((tap) => tap.key));
  for (const line of document.querySelectorAll("[data-tap]")) {
    if (!keys.has(line.dataset.tap)) line.remove();
  }
  for (const tap of waiting) {
    if (!document.querySelector(`[data-tap="${tap.key}"]`)) place(tap);
  }
}

function place(tap) {
  const form = [...document.querySelectorAll("form[method=post], [hx-post]")].find((each) => {
    const path = each.getAttribute("hx-post") ?? each.getAttribute("action") ?? "";
    return path.split("?")[0] === tap.path.split("?")[0];
  });
  if (!form) return;
  const line = document.createElement("p");
  line.className = "tap-waits";
  line.dataset.tap = tap.key;
  line.textContent = dataset.tapWords.replace("{}", said(tap));
  const card = form.closest(".task-card");
  if (card) card.append(line);
  else form.after(line);
}

// A note is told by its text, a picture by its name, all else by what was pressed.
function said(tap) {
  const value = (name) => tap.parts.find(([each]) => each === name)?.[1];
  const photo = tap.parts.find(([, each]) => each instanceof File)?.[1];
  return (photo?.name || tap.path.endsWith("/notes") && value("text")) || tap.words;
}
