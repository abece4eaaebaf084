// Without a network: lists the pages that this device holds a copy of.
(async () => {
  const section = document.getElementById("copies");
  const list = section.querySelector("ul");
  for (const name of await caches.keys()) {
    if (!name.startsWith("pages ")) continue;
    const cache = await caches.open(name);
    for (const { url } of await cache.keys()) {
      const { pathname, search } = new URL(url);
      if (pathname === "/dashboard/offline") continue;
      const text = await (await cache.match(url, { ignoreVary: true })).text();
      const page = new DOMParser().parseFromString(text, "text/html");
      const link = document.createElement("a");
      link.href = pathname + search;
      link.className = "button button-plain";
      link.textContent = page.title;
      const line = document.createElement("li");
      line.append(link);
      list.append(line);
    }
  }
  section.hidden = !list.children.length;
  // A device that says it is online may still reach nothing.
  addEventListener("online", () => {
    fetch(location.href, { method: "HEAD" }).then(() => location.reload(), () => {});
  });
})();
