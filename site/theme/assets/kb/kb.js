/* Marks where the reader is: in the contents and among the games. */
"use strict";
(function () {
  const here = location.href.replace(/[?#].*$/, "");
  for (const link of document.querySelectorAll(".kb-nav a, .kb-topnav a")) {
    const game = link.dataset.game;
    const same = link.href.replace(/[?#].*$/, "") === here;
    if (!same && !(game && window.kbPlace && (window.kbPlace === game || window.kbPlace.startsWith(game + "--")))) continue;
    link.setAttribute("aria-current", same ? "page" : "true");
    const group = link.closest("details");
    if (group) group.open = true;
  }
  const current = document.querySelector('.kb-nav [aria-current="page"]'), pane = document.querySelector(".kb-sidebar .md-sidebar__scrollwrap");
  if (current && pane) pane.scrollTop += current.getBoundingClientRect().top - pane.getBoundingClientRect().top - pane.clientHeight / 3;
  document.querySelectorAll("[data-kb-print]").forEach((button) => button.addEventListener("click", () => print()));
  /* A link into something folded opens it. */
  const reveal = () => {
    const target = location.hash.length > 1 && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const fold = target && target.closest("details");
    if (fold) { fold.open = true; target.scrollIntoView(); }
  };
  addEventListener("hashchange", reveal);
  reveal();
})();
