// Taps on tasks: each is kept on the device with a key of its own before it is sent, and stays until
// it was answered. What shows and sends those that wait is loaded only then.
globalThis.outbox = (() => {
  const state = document.getElementById("sync");
  const { dataset } = state;
  const asked = indexedDB.open("outbox", 1);
  asked.onupgradeneeded = () => asked.result.createObjectStore("taps", { keyPath: "key" });
  const opened = new Promise((done, failed) => Object.assign(asked, { onsuccess: done, onerror: failed }));
  const store = async (act, value) => {
    await opened;
    const made = asked.result.transaction("taps", "readwrite").objectStore("taps")[act](value);
    return new Promise((done, failed) => {
      Object.assign(made.transaction, { oncomplete: () => done(made.result), onabort: failed });
    });
  };
  const ask = (verb, ...given) => import(dataset.sender).then((it) => it[verb](...given));
  const begin = async (key) => {
    const taps = await store("getAll");
    state.hidden = false;
    const { dataset: page } = document.documentElement;
    if (taps.length || "copy" in page || dataset.state || !navigator.onLine) ask("send", key).catch(() => {});
  };
  const keep = (part, path, parts, wait, pressed) => {
    const at = Date.now();
    const key = `${at}-${crypto.getRandomValues(new Uint32Array(3)).join("-")}`;
    return [key, store("put", {
      key,
      path,
      at,
      parts: [...parts],
      after: wait && at + wait,
      holder: dataset.holder,
      words: (pressed ?? part).textContent,
    })];
  };

  // What htmx sends is answered into the page as ever; only what got no answer is sent again.
  const isTap = (path) => /\/(tasks\/[^/]+\/(moves|points\/[^/?]+|notes|photos)|move-outs\/[^/]+\/rooms\/\w+(\/photos|\/damages)?)(\?|$)/.test(path);
  addEventListener("htmx:configRequest", ({ detail: { elt, headers, path, formData, triggeringEvent, verb } }) => {
    if (verb === "post" && isTap(path)) {
      headers["Idempotency-Key"] = keep(elt, path, formData, 30000, triggeringEvent?.submitter)[0];
    }
  });
  addEventListener("htmx:afterRequest", async ({ detail: { xhr, requestConfig } }) => {
    const key = requestConfig.headers["Idempotency-Key"];
    if (!key) return;
    const isOut = /^\/sign-in|\/me\/second-factor/.test(xhr.getResponseHeader("HX-Redirect") ?? "");
    if (!isOut && /^(2|403|404|422)/.test(xhr.status)) await store("delete", key);
    begin(key);
  });

  // Other forms are taken over, and all of them without a network; pictures always, one by one,
  // before htmx would send them whole.
  const take = (event) => {
    const { target: form, submitter } = event;
    const path = submitter?.getAttribute("formaction") ?? form.getAttribute("action");
    // 1: on its way down, before htmx hears of it.
    if (event.defaultPrevented || !isTap(path) || event.eventPhase === 1 === (navigator.onLine && !/photos/.test(path))) return;
    const parts = [...new FormData(form, submitter)];
    event.preventDefault();
    event.stopImmediatePropagation();
    ask("take", form, path, parts, submitter).catch(() => form.submit());
  };
  addEventListener("submit", take, true);
  addEventListener("submit", take);
  state.onclick = () => ask("list");
  for (const name of ["online", "offline", "focus"]) addEventListener(name, begin);
  setInterval(begin, 20000);
  navigator.serviceWorker?.register(dataset.worker, { scope: dataset.scope });
  begin();
  return { store, keep, asked, state, dataset };
})();
