/* Marks where the reader is, in the contents and among the games; the switch of the colours; folds that a link opens. */
"use strict";
(function () {
  /* On a narrow page the games stand above the contents. */
  const games = document.querySelector(".kb-header .kb-topnav"), pane = document.querySelector(".kb-sidebar .md-sidebar__inner");
  if (games && pane) {
    const again = games.cloneNode(true), box = document.createElement("nav");
    box.className = "kb-sidebar__games";
    box.setAttribute("aria-label", "Games");
    box.append(again);
    pane.prepend(box);
  }
  const colours = document.querySelector("[data-kb-colours]");
  if (colours) {
    const paths = {
      "": ["Use light colours", "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18m0 2v14a7 7 0 0 1 0-14"],
      light: ["Use dark colours", "M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10M11 1h2v4h-2zm0 18h2v4h-2zM1 11h4v2H1zm18 0h4v2h-4zM3.5 4.9l1.4-1.4 2.9 2.8-1.5 1.5zm12.7 12.8 1.5-1.5 2.8 2.9-1.4 1.4zM3.5 19.1l2.8-2.9 1.5 1.5-2.9 2.8zM16.2 6.3l2.9-2.8 1.4 1.4-2.8 2.9z"],
      dark: ["Use the colours of the system", "M12.3 3A9 9 0 1 0 21 14.5 7.5 7.5 0 0 1 12.3 3"],
    };
    const next = { "": "light", light: "dark", dark: "" };
    const show = () => {
      const [words, path] = paths[window.kbKept.get("colours") || ""] || paths[""];
      colours.title = words;
      colours.setAttribute("aria-label", words);
      colours.innerHTML = '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="' + path + '"/></svg>';
      window.kbColours();
    };
    colours.hidden = false;
    colours.addEventListener("click", () => { window.kbKept.set("colours", next[window.kbKept.get("colours") || ""] || ""); show(); });
    show();
  }
  const here = location.href.replace(/[?#].*$/, "");
  for (const link of document.querySelectorAll(".kb-nav a, .kb-topnav a")) {
    const game = link.dataset.game;
    const same = link.href.replace(/[?#].*$/, "") === here;
    if (!same && !(game && window.kbPlace && (window.kbPlace === game || window.kbPlace.startsWith(game + "--")))) continue;
    link.setAttribute("aria-current", same ? "page" : "true");
    const group = link.closest("details");
    if (group) group.open = true;
  }
  /* Of a long chapter the contents name the parts, not each page. */
  const chapter = document.querySelector(".kb-nav__open > a");
  if (chapter && !document.querySelector(".kb-nav [aria-current]")) chapter.setAttribute("aria-current", "true");
  const current = document.querySelector('.kb-nav [aria-current]'), scrolled = document.querySelector(".kb-sidebar .md-sidebar__scrollwrap");
  const down = current && scrolled ? current.getBoundingClientRect().top - scrolled.getBoundingClientRect().top : 0;
  if (down > scrolled?.clientHeight * .7) scrolled.scrollTop += down - scrolled.clientHeight / 3;  /* else it is in sight */
  document.querySelectorAll("[data-kb-print]").forEach((button) => button.addEventListener("click", () => print()));
  /* What is wider than the page is scrolled by keys as well. */
  for (const code of document.querySelectorAll("pre > code")) if (code.scrollWidth > code.clientWidth) code.tabIndex = 0;
  /* On a phone a row is a block, in which a plain value says its heading (kb.css); colours and drawings speak for themselves. */
  window.kbHeaded = (table, rows) => {
    if (table.matches(".kb-table--told")) return;
    const heads = [...table.tHead.rows[0].cells].map((head) => head.textContent.trim() || head.querySelector("[aria-label]").getAttribute("aria-label"));
    for (const row of rows) for (const cell of row.cells) if (cell.tagName === "TD" && !cell.children.length) cell.dataset.label = heads[cell.cellIndex];
  };
  for (const table of document.querySelectorAll(".kb-table:not([data-kb-table])")) window.kbHeaded(table, table.tBodies[0].rows);
  /* A sheet is printed as large as one page holds: the room that A4 and Letter both have, less a line to be safe. */
  const sheet = document.querySelector(".kb-content--sheet article"), root = document.documentElement;
  addEventListener("beforeprint", () => {
    if (!sheet) return;
    const look = document.body.classList, room = 240 * 96 / 25.4, least = 7.5;
    look.add("kb-printing");
    const largest = (one) => {
      look.toggle("kb-printing--one", one);
      let points = 18;
      do { points -= .25; root.style.fontSize = points + "pt"; } while (sheet.scrollHeight > room && points > least);
      return sheet.scrollHeight > room ? 0 : points;
    };
    const two = largest(false), one = largest(true), best = Math.max(one, two);
    look.toggle("kb-printing--one", one > two);
    root.style.fontSize = best ? best + "pt" : "";  /* longer than a page in any case: as every page is printed */
  });
  addEventListener("afterprint", () => { document.body.classList.remove("kb-printing", "kb-printing--one"); root.style.fontSize = ""; });
  /* A link into something folded opens it. */
  const reveal = () => {
    const target = location.hash.length > 1 && document.getElementById(window.kbPart());
    const fold = target && target.closest("details");
    if (fold) { fold.open = true; target.scrollIntoView(); }
  };
  addEventListener("hashchange", reveal);
  reveal();
  /* From a server the site can be installed and taken along; what that needs is loaded when the page stands. */
  const own = document.currentScript.src;
  if (/^https?:$/.test(location.protocol)) addEventListener("load", () => { document.head.append(Object.assign(document.createElement("script"), { src: own.replace("/kb.js", "/along.js") })); });
})();
