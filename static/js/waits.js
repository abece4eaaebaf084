// Follows a page that waits for something outside: its part is asked for again until it is there.
(() => {
  const part = () => document.getElementById("waiting");
  let rounds = 0;
  const ask = async () => {
    if (!part()?.hasAttribute("data-waits") || rounds > 200) return;
    rounds += 1;
    if (!document.hidden) {
      try {
        const answer = await fetch(location.href, { credentials: "same-origin" });
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        const found = page.getElementById("waiting");
        if (answer.ok && found && found.innerHTML !== part().innerHTML) part().replaceWith(found);
      } catch {
        // Without a network it is asked for again.
      }
    }
    setTimeout(ask, rounds < 15 ? 1500 : 5000);
  };
  setTimeout(ask, 1500);
})();
