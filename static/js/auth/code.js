// The field for an emailed code: sends its form by itself once six digits stand in it.
const DIGITS = /[0-9０-９]/g;

function sent(field) {
  const digits = (field.value.normalize("NFKC").match(DIGITS) || []).join("");
  const others = field.value.normalize("NFKC").replace(/[0-9\s\u2010-\u2015\u2212\u30fc・.-]/g, "");
  if (digits.length !== Number(field.dataset.code) || others || field.dataset.sent === digits) return;
  field.dataset.sent = digits;
  field.form.requestSubmit();
}

for (const field of document.querySelectorAll("[data-code]")) {
  field.addEventListener("input", (event) => {
    // While a Japanese input method still composes, the digits are not the reader's last word.
    if (!event.isComposing) sent(field);
  });
  field.addEventListener("compositionend", () => sent(field));
}

for (const line of document.querySelectorAll("[data-countdown]")) {
  let seconds = Number(line.dataset.countdown);
  const tell = () => {
    line.textContent = seconds > 0 ? line.dataset.text.replace("{}", seconds) : "";
    if (seconds-- > 0) setTimeout(tell, 1000);
  };
  tell();
}
