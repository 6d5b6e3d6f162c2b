/* Draws the visible rows of a table from the data in the page. The address contains filters and order. */
"use strict";
(function () {
  const table = document.querySelector("[data-kb-table]"), source = document.querySelector("[data-kb-rows]");
  if (!table || !source) return;
  const form = document.querySelector("[data-kb-filters]"), body = table.tBodies[0], heads = [...table.tHead.rows[0].cells], what = source.dataset.what;
  const { columns, filters, rows, anchors } = JSON.parse(source.textContent);
  const STEP = 40;
  const fold = kbFold;
  const collator = new Intl.Collator("en", { numeric: true });
  let shown = [], drawn = 0, sorted = null;
  const sorter = document.querySelector("[data-kb-sort]");

  const make = kbMake, linked = (text, href) => (href ? make("a", { href }, text) : text);
  const flat = (value) => [value ?? ""].flat().join(", ");
  /* A title that is a spoiler (the fourth value) is shown only to readers who have finished the campaign. */
  const name = (cell) => cell[4] && kbFinished(cell[4]) ? cell[3] : cell[0];
  const text = { link: (cell) => [name(cell), cell[2]].filter(Boolean).join(" "), links: (cell) => cell.map(([name]) => name).join(", "), icons: (cell) => cell.map(([name]) => name).join(" ") };
  const read = (row) => columns.map((kind, at) => (text[kind] || flat)(row[at])).join(" ");

  /* Returns an icon with its number. It is made once and then copied. */
  const icons = {};
  function iconOf(name) {
    const made = make("span.kb-skill", { title: name, style: `color: var(--kb-${name})` });
    made.innerHTML = `<svg aria-hidden="true"><use href="#kb-${name}"/></svg>`;
    made.append("0", make("span.kb-hidden", " " + name));
    return made;
  }

  /* A drawing function for each kind of cell. */
  const draw = {
    link(cell, place) { place.append(linked(name(cell), cell[1])); if (cell[2]) place.append(" ", make("small", cell[2])); },
    links(cell, place) { cell.forEach(([name, address], at) => place.append(at ? ", " : "", linked(name, address))); },
    number(cell, place) { place.className = "kb-num"; place.append(flat(cell)); },
    words(cell, place) {
      cell.forEach((word, at) => {
        const made = make("span.kb-class", { style: `color: var(--kb-${word})` });
        if (document.getElementById(`kb-${word}`)) { const drawing = make("span.kb-icon"); drawing.innerHTML = `<svg aria-hidden="true"><use href="#kb-${word}"/></svg>`; made.append(drawing, " "); }
        made.append(word);
        place.append(at ? " " : "", made);
      });
    },
    icons(cell, place) {
      for (const [name, number] of cell) {
        const made = (icons[name] ||= iconOf(name)).cloneNode(true);
        made.childNodes[1].data = number;
        place.append(made);
      }
    },
    text(cell, place) { place.append(flat(cell)); },
  };
  function rowOf(at, index) {
    return make("tr", { "aria-rowindex": index + 2, id: anchors && anchors[at] || false }, ...columns.map((kind, column) => {
      const cell = column ? make("td") : make("th", { scope: "row" });
      draw[kind](rows[at][column], cell);
      return cell;
    }));
  }
  function more(to) {
    const before = drawn, part = shown.slice(drawn, Math.max(to, drawn)).map((at, place) => rowOf(at, before + place));
    drawn += part.length;
    kbHeaded(table, part);
    body.append(...part);
  }
  /* Draws as many rows as fill the window, and some more. Their number is stored at once, so that Back can restore it: Firefox may skip a change that is
     made while the user leaves the page. */
  function grow() {
    const before = drawn;
    while (drawn < shown.length && table.getBoundingClientRect().bottom < innerHeight + 900) more(drawn + STEP);
    if (drawn > before) history.replaceState({ ...history.state, drawn }, "");
  }
  function redraw(least = 0) {
    body.replaceChildren();
    drawn = 0;
    table.ariaRowCount = shown.length + 1;
    heads.forEach((head, at) => { head.ariaSort = at !== sorted?.column ? null : sorted.down ? "descending" : "ascending"; });
    if (sorter) { sorter.value = sorted?.column ?? ""; if (sorter.selectedIndex < 0) sorter.value = ""; }
    more(least);
    grow();
  }

  /* Returns the rows that match the filters. */
  const texts = [], textOf = (row, at) => (texts[at] ??= fold(read(row)));
  const tests = {
    flag: (value, _wanted, _values, key) => value.includes(key),
    one: (value, wanted) => [value ?? ""].flat().map(String).includes(wanted),
    most: (value, wanted) => typeof value === "number" && value <= Number(wanted),
    bit: (value, wanted, values) => { const at = values.indexOf(wanted); return at >= 0 && Boolean(parseInt(value[at >> 2] || "0", 16) >> (at & 3) & 1); },
  };
  /* Parses terms as in `kb cards`, for the columns of the table: "type:asset level<=2 -trait:tactic". */
  const NAMES = { lvl: "level", xp: "level", trait: "traits", icon: "icons", t: "type", f: "class", faction: "class", slots: "slot" }, TERM = /(-?)([a-z]+)(<=|>=|:|=|<|>)("[^"]*"|\S+)/gi;
  const named = heads.map((head) => { const words = fold(head.textContent.replace(/[^\p{L}\p{N} ]/gu, "").trim()); return NAMES[words] || words; }), columnOf = (key) => named.indexOf(NAMES[key] || key);
  /* Returns the number of letters to change, add or remove to get from one word to another. */
  function apart(one, other) {
    let row = [...other, ""].map((_letter, at) => at);
    [...one].forEach((letter, above) => { const made = [above + 1]; for (let at = 1; at < row.length; at += 1) made.push(Math.min(row[at] + 1, made[at - 1] + 1, row[at - 1] + (letter === other[at - 1] ? 0 : 1))); row = made; });
    return row.at(-1);
  }
  /* Says that the table has no field `key`, and which fields it has. */
  function unknown(key) {
    const fields = named.filter((each) => /^[a-z]+$/.test(each)), [near] = [...fields, ...Object.keys(NAMES).filter((each) => columnOf(each) >= 0)].map((each) => [each, apart(key, each)]).filter(([each, far]) => far < Math.min(3, each.length)).sort((a, b) => a[1] - b[1])[0] || [];
    return `there is no field “${key}”. ${near ? `Did you mean “${near}”? ` : ""}Fields: ${fields.join(", ")}.`;
  }
  function termOf([, not, key, sign, said]) {
    const at = columnOf(key.toLowerCase()), value = fold(said.replace(/"/g, "")), number = Number(value);
    if (at < 0) return null;
    const fits = (row) => {
      const cell = row[at], held = fold((text[columns[at]] || flat)(cell));
      if (sign === ":" || sign === "=") return value.split("|").some((each) => (columns[at] === "number" ? held === each : sign === "=" ? held === each : held.includes(each)));
      return held !== "" && (sign === "<" ? Number(held) < number : sign === ">" ? Number(held) > number : sign === "<=" ? Number(held) <= number : Number(held) >= number);
    };
    return (row) => fits(row) !== Boolean(not);
  }
  function filter(least) {
    const chosen = new FormData(form || undefined);
    const terms = [], strange = [], asked = String(chosen.get("q") || "").replace(TERM, (...found) => { const term = termOf(found); if (term) terms.push(term); else strange.push(found[2].toLowerCase()); return term ? " " : found[0]; });
    const typed = fold(asked).split(/\s+/).filter(Boolean);
    const wanted = filters.filter(([key]) => chosen.get(key)), fits = (row) => wanted.every(([key, kind, at, values]) => tests[kind](row[at], chosen.get(key), values, key));
    shown = [...rows.keys()].filter((at) => fits(rows[at]) && terms.every((term) => term(rows[at])) && typed.every((word) => textOf(rows[at], at).includes(word)));
    if (sorted) order();
    redraw(least);
    if (!form) return;
    const said = shown.length.toLocaleString("en") + " " + (shown.length === 1 ? what.replace(/ies$/, "y").replace(/s$/, "") : what);
    form.querySelector("output").textContent = shown.length ? said : strange.length ? `${said}: ${unknown(strange[0])}` : `${said}: ${typed.length ? "type part of the name, use fewer filters" : "use fewer filters"}, or clear all.`;
    form.querySelector("button[type=reset]").hidden = ![...chosen].some(([, value]) => value);
  }
  function keep() {
    const kept = new URLSearchParams([...new FormData(form || undefined)].filter(([, value]) => value));
    if (sorted) kept.set("sort", (sorted.down ? "-" : "") + sorted.column);
    history.replaceState(history.state, "", String(kept) ? "#?" + kept : location.pathname + location.search);
  }

  /* Sorts the rows. In either direction, rows with a word instead of a number (X) come after the others, and rows without a value come last. */
  const isLate = (key) => (key === "" ? 2 : key === Infinity ? 1 : 0);
  function order() {
    const { column, down } = sorted, kind = columns[column];
    const key = kind === "number" ? (cell) => flat(cell) && (Number.isNaN(parseFloat(cell)) ? Infinity : parseFloat(cell))
      : kind === "icons" ? (cell) => cell.reduce((sum, [, number]) => sum + number, 0) || "" : text[kind] || flat;
    const keys = new Map(shown.map((at) => [at, key(rows[at][column])]));
    shown.sort((a, b) => {
      const left = keys.get(a), right = keys.get(b);
      if (isLate(left) || isLate(right)) return isLate(left) - isLate(right) || a - b;
      return (typeof left === "number" ? left - right : collator.compare(left, right)) * (down ? -1 : 1) || a - b;
    });
  }
  heads.forEach((head, column) => {
    if (!("sort" in head.dataset)) return;
    const click = () => {
      sorted = { column, down: sorted?.column === column && !sorted.down };
      order();
      redraw();
      keep();
    };
    head.append(make("button", { click }, ...head.childNodes));
  });

  sorter?.addEventListener("change", (event) => {
    event.stopPropagation();
    sorted = sorter.value === "" ? null : { column: Number(sorter.value), down: false };
    filter();
    keep();
  });
  sorter?.addEventListener("input", (event) => event.stopPropagation());

  /* Reads the address: filters after "#?", or the anchor of a row. */
  function arrive() {
    const kept = new URLSearchParams(location.hash.startsWith("#?") ? location.hash.slice(2) : ""), [, down, column] = /^(-?)(\d+)$/.exec(kept.get("sort")) || [];
    sorted = heads[column] ? { column: Number(column), down: Boolean(down) } : null;
    for (const field of form?.elements || []) { if (field.type === "checkbox") field.checked = kept.has(field.name); else if (field.name) field.value = kept.get(field.name) || ""; }
    filter(history.state?.drawn);
    const at = (anchors || []).indexOf(kbPart());
    if (at >= 0) { more(at + STEP); const row = document.getElementById(anchors[at]); row.classList.add("kb-here"); row.scrollIntoView({ block: "center" }); }
  }
  if (form) {
    let timer = 0;
    const anew = () => { filter(); keep(); };
    form.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(anew, 60); });
    form.addEventListener("submit", (event) => event.preventDefault());
    form.addEventListener("reset", () => setTimeout(anew));
  }
  addEventListener("hashchange", arrive);
  addEventListener("kb-finished", () => { texts.length = 0; filter(drawn); });  /* keep the scroll position */
  addEventListener("beforeprint", () => more(shown.length));
  addEventListener("scroll", grow, { passive: true });
  arrive();
})();
