/* Puts the chosen colours on the page before it is drawn (Material's palette, whose script would stand in the page). */
"use strict";
(function () {
  const palette = window.__md_get("__palette");
  if (!palette || !palette.color) return;
  if (palette.color.media === "(prefers-color-scheme)") {
    const light = matchMedia("(prefers-color-scheme: light)").matches;
    const input = document.querySelector(`[data-md-color-media='(prefers-color-scheme: ${light ? "light" : "dark"})']`);
    for (const key of ["media", "scheme", "primary", "accent"]) palette.color[key] = input.getAttribute("data-md-color-" + key);
  }
  for (const [key, value] of Object.entries(palette.color)) document.body.setAttribute("data-md-color-" + key, value);
})();
