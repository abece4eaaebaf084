// The page shows a colour as soon as it is chosen.
addEventListener("change", ({ target }) => {
  if (target.matches?.(".hue-picker input")) document.documentElement.dataset.hue = Math.floor(target.value / 10) * 10 % 360;
});
