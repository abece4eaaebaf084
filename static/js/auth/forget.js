// Where nobody is signed in, nothing of whoever was before stays on the device.
if (document.querySelector("[data-forgets-copies]")) {
  for (const name of Object.keys(localStorage)) if (name.startsWith("recent:")) localStorage.removeItem(name);
  globalThis.caches?.keys().then((names) => {
    for (const name of names) if (name.startsWith("pages ")) caches.delete(name);
  });
}
