/* Draws a table from the data in the page: the rows that fit the filters, in the chosen order, as many as are looked at. What is chosen
   stands in the address, so that a filtered table can be kept as a bookmark and linked to. */
"use strict";
(function () {
  const table = document.querySelector("[data-kb-table]"), source = document.querySelector("[data-kb-rows]");
  if (!table || !source) return;
  const form = document.querySelector("[data-kb-filters]"), body = table.tBodies[0], what = source.dataset.what;
  const { columns, filters, rows, anchors } = JSON.parse(source.textContent);
  const FIRST = 12, STEP = 40;
  const fold = (text) => text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");
  const collator = new Intl.Collator("en", { numeric: true });
  let shown = rows.map((_row, at) => at), drawn = 0, sorted = null;

  const make = window.kbMake, linked = (text, address) => (address ? make("a", { href: address }, text) : text);
  const flat = (value) => value == null ? "" : Array.isArray(value) ? value.join(", ") : String(value);
  /* A title that gives a campaign away (the fourth value) is told to who has finished it. */
  const name = (cell) => cell[4] && window.kbFinished(cell[4]) ? cell[3] : cell[0];
  const text = { link: (cell) => cell[2] ? name(cell) + " " + cell[2] : name(cell), links: (cell) => cell.map(([name]) => name).join(", "), icons: (cell) => cell.map(([name]) => name).join(" ") };
  const read = (row) => columns.map((kind, at) => (text[kind] || flat)(row[at])).join(" ");

  /* An icon with its number, made once and copied. */
  const icons = {};
  function iconOf(name) {
    const made = make("span", { class: `kb-skill kb-skill--${name}`, title: name });
    made.innerHTML = `<svg aria-hidden="true"><use href="#kb-${name}"/></svg>`;
    made.append("0", make("span", { class: "kb-hidden" }, " " + name));
    return made;
  }

  /* One way of drawing for each kind of cell. */
  const draw = {
    link(cell, place) { place.append(linked(name(cell), cell[1])); if (cell[2]) place.append(" ", make("small", {}, cell[2])); },
    links(cell, place) { cell.forEach(([name, address], at) => place.append(at ? ", " : "", linked(name, address))); },
    number(cell, place) { place.className = "kb-num"; place.textContent = flat(cell); },
    words(cell, place) { cell.forEach((word, at) => place.append(at ? " " : "", make("span", { class: `kb-class kb-class--${word}` }, word))); },
    icons(cell, place) {
      for (const [name, number] of cell) {
        const made = (icons[name] = icons[name] || iconOf(name)).cloneNode(true);
        made.childNodes[1].data = number;
        place.append(made);
      }
    },
    text(cell, place) { place.textContent = flat(cell); },
  };
  function rowOf(at, index) {
    return make("tr", { "aria-rowindex": index + 2, id: anchors && anchors[at] || false }, ...columns.map((kind, column) => {
      const cell = column ? make("td") : make("th", { scope: "row" });
      draw[kind](rows[at][column], cell);
      return cell;
    }));
  }
  function more(to) {
    const until = Math.min(Math.max(to, drawn), shown.length), part = document.createDocumentFragment();
    for (; drawn < until; drawn += 1) part.append(rowOf(shown[drawn], drawn));
    window.kbHeaded(table, part.children);
    body.append(part);
  }
  function redraw() {
    body.replaceChildren();
    drawn = 0;
    table.setAttribute("aria-rowcount", shown.length + 1);
    more(FIRST);
  }

  /* Which rows fit. */
  const texts = [];
  const tests = {
    one: (value, wanted) => Array.isArray(value) ? value.includes(wanted) : String(value == null ? "" : value) === wanted,
    most: (value, wanted) => typeof value === "number" && value <= Number(wanted),
    bit: (value, wanted, values) => { const at = values.indexOf(wanted); return at >= 0 && Boolean(parseInt(value[at >> 2] || "0", 16) >> (at & 3) & 1); },
  };
  function filter() {
    const chosen = form ? new FormData(form) : new FormData();
    const typed = fold(String(chosen.get("q") || "")).split(/\s+/).filter(Boolean);
    const wanted = filters.filter(([key]) => chosen.get(key)).map(([key, kind, at, values]) => kind === "flag"
      ? (row) => row[at].includes(key) : ((value) => (row) => tests[kind](row[at], value, values))(String(chosen.get(key))));
    shown = [];
    rows.forEach((row, at) => {
      if (!wanted.every((fits) => fits(row))) return;
      if (typed.length) {
        if (texts[at] === undefined) texts[at] = fold(read(row));
        if (!typed.every((word) => texts[at].includes(word))) return;
      }
      shown.push(at);
    });
    if (sorted) order();
    redraw();
    if (!form) return;
    form.querySelector("output").textContent = shown.length.toLocaleString("en") + " " + (shown.length === 1 ? what.replace(/ies$/, "y").replace(/s$/, "") : what);
    form.querySelector("button[type=reset]").hidden = ![...chosen].some(([, value]) => value);
  }
  function keep() {
    const kept = new URLSearchParams([...(form ? new FormData(form) : [])].filter(([, value]) => value));
    if (sorted) kept.set("sort", (sorted.down ? "-" : "") + sorted.column);
    history.replaceState(history.state, "", String(kept) ? "#?" + kept : location.pathname + location.search);
  }

  /* In which order. What has no value comes last, whichever way. */
  function order() {
    const { column, down } = sorted, kind = columns[column];
    const key = kind === "number" ? (row) => row[column] === null || row[column] === "" ? null : Number.isFinite(parseFloat(row[column])) ? parseFloat(row[column]) : -1
      : kind === "icons" ? (row) => row[column].reduce((sum, [, number]) => sum + number, 0) || null
      : (row) => (text[kind] || flat)(row[column]) || null;
    const keys = new Map(shown.map((at) => [at, key(rows[at])]));
    shown.sort((a, b) => {
      const left = keys.get(a), right = keys.get(b);
      if (left === null || right === null) return left === right ? a - b : left === null ? 1 : -1;
      return (typeof left === "number" ? left - right : collator.compare(left, right)) * (down ? -1 : 1) || a - b;
    });
  }
  const heads = [...table.tHead.rows[0].cells];
  function mark() {
    for (const head of heads) head.removeAttribute("aria-sort");
    if (sorted) heads[sorted.column].setAttribute("aria-sort", sorted.down ? "descending" : "ascending");
  }
  heads.forEach((head, column) => {
    if (!("sort" in head.dataset)) return;
    const click = () => {
      sorted = { column, down: sorted !== null && sorted.column === column && !sorted.down };
      mark();
      order();
      redraw();
      keep();
    };
    head.append(make("button", { type: "button", click }, ...head.childNodes));
  });

  /* What the address says: filters after "#?", or the anchor of a row. */
  function arrive() {
    sorted = null;
    for (const field of form ? form.elements : []) { if (field.type === "checkbox") field.checked = false; else if (field.name) field.value = ""; }
    if (location.hash.startsWith("#?")) {
      for (const [name, value] of new URLSearchParams(location.hash.slice(2))) {
        const field = form && form.elements.namedItem(name), column = Number(value.replace("-", ""));
        if (name === "sort") { if (heads[column]) sorted = { column, down: value.startsWith("-") }; } else if (field) { if (field.type === "checkbox") field.checked = true; else field.value = value; }
      }
    }
    mark();
    filter();
    const at = anchors ? anchors.indexOf(window.kbPart()) : -1;
    if (at >= 0) { more(at + STEP); const row = document.getElementById(anchors[at]); row.classList.add("kb-here"); row.scrollIntoView({ block: "center" }); }
  }
  if (form) {
    let timer = 0;
    form.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(() => { filter(); keep(); }, 60); });
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(() => { filter(); keep(); }));
  }
  addEventListener("hashchange", arrive);
  addEventListener("kb-finished", () => { const kept = drawn; texts.length = 0; filter(); more(kept); });  /* the place stays */
  addEventListener("beforeprint", () => more(shown.length));
  /* Who comes back finds the rows that were drawn, and so the place; the browser scrolls to it. */
  const note = () => history.replaceState({ ...history.state, drawn }, "");
  function grow() { const before = drawn; more(drawn + STEP); if (drawn > before) note(); }  /* noted at once: Firefox may pass over what is noted as it leaves */
  const end = make("div");
  table.parentNode.after(end);
  new IntersectionObserver((seen) => { if (seen.some((one) => one.isIntersecting)) grow(); }, { rootMargin: "900px" }).observe(end);
  /* The end stays in sight while the next rows are drawn: look again as the page is scrolled. */
  addEventListener("scroll", () => { if (drawn < shown.length && end.getBoundingClientRect().top < innerHeight + 900) grow(); }, { passive: true });
  arrive();
  if (history.state && history.state.drawn > drawn) more(history.state.drawn);
  addEventListener("pagehide", note);
  /* What is typed is looked for in texts that are made beforehand, while nothing else is to do. */
  (window.requestIdleCallback || setTimeout)(() => rows.forEach((row, at) => { if (texts[at] === undefined) texts[at] = fold(read(row)); }));
})();
