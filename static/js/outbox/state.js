// Says on the page whether everything has arrived, and to the sign-out page how much has not.
const { store, state, dataset } = outbox;

async function show() {
  const all = await store("getAll");
  const own = all.filter((tap) => tap.holder === dataset.holder);
  const open = own.filter((tap) => tap.answer).length;
  dataset.state = open ? "open" : own.length ? "waiting" : "saved";
  const words = dataset[`${dataset.state}Words`].replace("{}", open || own.length);
  state.textContent = navigator.onLine ? words : dataset.offlineWords.replace("{}", words);
  document.cookie = `waiting=${all.length}; path=/; max-age=2592000; samesite=lax`;
  return own;
}
