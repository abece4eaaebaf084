// Follows a page that waits for something outside: its part is asked for again until it is there.
// `data-waits` names the part that takes its place then; without a name it is the waiting part itself.
(() => {
  const part = () => document.getElementById("waiting");
  let rounds = 0;
  let timer;
  const put = (page) => {
    const found = page.getElementById("waiting");
    const whole = part().dataset.waits;
    if (whole && !found?.hasAttribute("data-waits")) {
      const next = page.getElementById(whole);
      if (next) document.getElementById(whole).replaceWith(next);
    } else if (found && found.innerHTML !== part().innerHTML) part().replaceWith(found);
  };
  const ask = async () => {
    clearTimeout(timer);
    // Within an hour, and again whenever the page comes back to the front.
    if (!part()?.hasAttribute("data-waits") || document.hidden || rounds > 900) return;
    rounds += 1;
    try {
      const answer = await fetch(location.href, { credentials: "same-origin" });
      if (answer.ok) put(new DOMParser().parseFromString(await answer.text(), "text/html"));
    } catch {
      // Without a network it is asked for again.
    }
    timer = setTimeout(ask, rounds < 15 ? 1500 : 4000);
  };
  addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    rounds = 0;
    ask();
  });
  timer = setTimeout(ask, 1500);
})();
