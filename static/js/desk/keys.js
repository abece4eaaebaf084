// Keys of the desk: "/" and Ctrl K search, "?" lists them; single keys can be switched off.
(() => {
  const list = document.getElementById("keys");
  const off = list?.querySelector("input");
  const field = document.querySelector(".title-search input");
  if (!off) return;
  off.checked = localStorage.getItem("keys") === "off";
  off.addEventListener("change", () => localStorage.setItem("keys", off.checked ? "off" : "on"));

  const search = () => {
    if (field?.checkVisibility()) field.select();
    else document.querySelector(".search-button")?.click();
  };
  addEventListener("keydown", (event) => {
    const { key, target } = event;
    const chord = event.ctrlKey || event.metaKey;
    const typing = target.closest?.("input, textarea, select, [contenteditable]");
    const single = !chord && !event.altKey && !typing && !off.checked;
    if (chord && key === "k" || single && key === "/") search();
    else if (single && key === "?" && !document.querySelector("dialog[open]")) list.showModal();
    else return;
    event.preventDefault();
  });
})();
