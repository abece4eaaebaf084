// Parts that ask again while they are seen: hx-trigger="poll" follows work, "minute" follows the day.
(() => {
  const began = performance.now();
  const last = new Map();
  const pause = (part, seconds) => {
    if (part.matches('[hx-trigger~="minute"]')) return 60;
    return seconds < 20 ? 1 : seconds < 120 ? 3 : 15;
  };
  const ask = () => {
    const now = (performance.now() - began) / 1000;
    for (const part of document.querySelectorAll('[hx-trigger~="poll"], [hx-trigger~="minute"]')) {
      const address = part.getAttribute("hx-get");
      if (document.hidden || now - (last.get(address) ?? 0) < pause(part, now)) continue;
      last.set(address, now);
      htmx.trigger(part, part.matches('[hx-trigger~="minute"]') ? "minute" : "poll");
    }
  };
  setInterval(ask, 500);
  addEventListener("visibilitychange", ask);
})();
