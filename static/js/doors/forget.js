// Where nobody is signed in, no page of whoever was before stays on the device.
if (document.querySelector("[data-forgets-copies]") && "caches" in globalThis) {
  caches.keys().then((names) => {
    for (const name of names) if (name.startsWith("pages ")) caches.delete(name);
  });
}
