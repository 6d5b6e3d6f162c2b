/* Filters and sorts a card table on the page. Filters stand in the address, so that a filtered table can be kept as a bookmark. */
"use strict";
(function () {
  const form = document.querySelector("[data-kb-filters]"), table = document.querySelector("[data-kb-table]");
  if (!table) return;
  const body = table.tBodies[0], rows = [...body.rows].map((row) => ({ row, text: null }));
  const fold = (text) => text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");

  function filter() {
    const wanted = new FormData(form), typed = fold(String(wanted.get("q") || "")).split(/\s+/).filter(Boolean), flags = wanted.getAll("flag");
    const lists = [...form.querySelectorAll("select")].filter((select) => select.value);
    let shown = 0;
    for (const item of rows) {
      const data = item.row.dataset;
      if (typed.length && item.text === null) item.text = fold(item.row.textContent);
      const fits = lists.every((select) => (data[select.name] || "").split(" ").includes(select.value))
        && flags.every((flag) => (data.flags || "").split(" ").includes(flag)) && typed.every((word) => item.text.includes(word));
      if (item.row.hidden === fits) item.row.hidden = !fits;
      if (fits) shown += 1;
    }
    form.querySelector("output").textContent = shown + (shown === 1 ? " card" : " cards");
    const kept = new URLSearchParams([...wanted].filter(([, value]) => value)).toString();
    history.replaceState(null, "", kept ? "#?" + kept : location.pathname + location.search);
  }
  if (form) {
    let timer = 0;
    form.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(filter, 80); });
    form.addEventListener("submit", (event) => event.preventDefault());
    if (location.hash.startsWith("#?")) {
      for (const [name, value] of new URLSearchParams(location.hash.slice(2))) {
        const field = form.elements[name];
        if (name === "flag") form.querySelectorAll('[name="flag"]').forEach((box) => { if (box.value === value) box.checked = true; });
        else if (field) field.value = value;
      }
      filter();
    }
  }

  table.querySelectorAll("th[data-sort]").forEach((head) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const column = head.cellIndex, number = head.dataset.sort === "number", down = head.getAttribute("aria-sort") === "ascending";
      table.querySelectorAll("th[aria-sort]").forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const key = (item) => { const text = item.row.cells[column].textContent.trim(); return number ? (text === "" ? NaN : text === "–" || text === "X" ? -1 : parseFloat(text)) : text; };
      const keyed = rows.map((item) => [key(item), item]);
      keyed.sort(([a], [b]) => {
        const empty = number ? [isNaN(a), isNaN(b)] : [a === "", b === ""];
        if (empty[0] !== empty[1]) return empty[0] ? 1 : -1;
        return (number ? (empty[0] ? 0 : a - b) : a.localeCompare(b)) * (down ? -1 : 1);
      });
      body.append(...keyed.map(([, item]) => item.row));
    });
  });
})();
