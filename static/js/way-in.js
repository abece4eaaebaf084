// Shows the way in once its hour has come; without this the page is simply opened again.
const part = () => document.querySelector("#way-in[data-again]");
const wait = () => part() && setTimeout(look, part().dataset.again * 1000);
const look = async () => {
  if (!document.hidden) {
    try {
      const answer = await fetch(location.pathname, { cache: "no-store" });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      show(answer.ok && page.getElementById("way-in"));
    } catch {
      // No network: the next look may have one.
    }
  }
  wait();
};
const show = (fresh) => {
  const now = part();
  if (!fresh || !now) return;
  if (fresh.dataset.again) {
    now.dataset.again = fresh.dataset.again;
    return;
  }
  document.querySelector("[role=status]").textContent = now.dataset.ready;
  now.replaceWith(fresh);
};
wait();
