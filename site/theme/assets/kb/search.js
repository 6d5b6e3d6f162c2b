/* The search of the phone edition, which has the data in its own file: shows what kbRank (rank.js) finds. */
"use strict";
(function () {
  const { data, parts } = window.kbSearchNow = JSON.parse(document.getElementById("kb-search-data").textContent);
  const index = window.kbParts.open(data, (name) => parts[name]);
  const search = (text, options) => window.kbRank.search(index, text, { ...options, links: true });

  function marked(text, query) {
    const out = document.createDocumentFragment();
    let at = 0;
    for (const [start, end] of window.kbRank.matches(text, query)) {
      out.append(text.slice(at, start));
      const mark = document.createElement("mark");
      mark.textContent = text.slice(start, end);
      out.append(mark);
      at = end;
    }
    out.append(text.slice(at));
    return out;
  }
  function element(name, className, ...children) {
    const made = document.createElement(name);
    if (className) made.className = className;
    made.append(...children);
    return made;
  }

  /* The place of a document: the longest game or set that it lies in. */
  function placeOf(doc) {
    const found = index.places.filter(([id]) => doc.scopes.has(id)).sort((a, b) => b[0].length - a[0].length)[0];
    return found ? found[1] : "";
  }
  function linked(doc, text) {
    if (!doc.url) return element("span", "", text);
    const link = element("a", "", text);
    link.href = "#/" + doc.url;
    return link;
  }
  function item(hit, query) {
    const { doc, twins } = hit;
    const masked = doc.spoiler && !(window.kbFinished && window.kbFinished(doc.spoiler)) ? "Spoiler for " + doc.spoiler : "";
    const meta = element("span", "kb-results__meta",
      element("span", "kb-badge kb-badge--" + doc.kind, doc.kind.replace("-", " ")), " ", placeOf(doc), doc.source ? " · " + doc.source : "");
    if (doc.standing.startsWith("community-consensus")) meta.append(" ", element("span", "kb-badge kb-authority--community-consensus", "not official"));
    const made = element("li", "", element("span", "kb-results__title", linked(doc, masked || marked(doc.title, query))), meta);
    if (masked) made.append(element("p", "kb-results__spoiler", "Open the page to read it."));
    else if (doc.sentences.length) made.append(element("p", "", marked(window.kbRank.answer(index, hit, query), query)));
    for (const twin of window.kbRank.oneOfEachEdition(twins)) made.append(element("p", "kb-results__twin", "Also in ", linked(twin, twin.edition || placeOf(twin)), twin.differs ? ": " + twin.differs : ""));
    return made;
  }
  function show(box, { query, hits, total, named }) {
    const said = element("p", "kb-results__said");
    said.setAttribute("role", "status");
    if (!hits.length) said.textContent = "Nothing found. Try fewer or other words.";
    else said.textContent = (query.corrected ? "Searched for “" + query.corrected + "”. " : "")
      + (named ? "Only in " + index.places.find(([id]) => id === named)[1] + ", which you named. " : "") + total + (total === 1 ? " result" : " results");
    const list = element("ol");
    for (const hit of hits) list.append(item(hit, query));
    box.replaceChildren(said, list);
    box.classList.add("kb-results--open");
  }

  const form = document.querySelector("[data-kb-search]"), input = form.querySelector("[data-kb-search-input]"), box = form.querySelector("[data-kb-search-results]");
  const close = () => box.classList.remove("kb-results--open");
  let timer = 0, turns = 0;
  function look() {
    const text = input.value.trimStart(), turn = ++turns;
    if (text.trim().length < 2) { box.replaceChildren(); return close(); }
    return search(text, { limit: 8, typing: true }).then((found) => { if (turn === turns) show(box, found); });
  }
  input.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(look, 60); });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { close(); return input.blur(); }
    const links = [...box.querySelectorAll("a")], at = links.indexOf(document.activeElement);
    if ((event.key !== "ArrowDown" && event.key !== "ArrowUp") || !links.length) return undefined;
    event.preventDefault();
    const next = at + (event.key === "ArrowDown" ? 1 : -1);
    return (next < 0 ? input : links[Math.min(next, links.length - 1)]).focus();
  });
  document.addEventListener("click", (event) => { if (!form.contains(event.target)) close(); });

  document.addEventListener("keydown", (event) => {
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    if (!((event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) || (event.key === "k" && (event.ctrlKey || event.metaKey)))) return;
    event.preventDefault();
    input.focus();
    input.select();
  });

  /* For tests: the hits of a query, best first. */
  window.kbSearch = (text, within, limit) => search(text, { within: within || "", limit: limit || 10 }).then(({ hits }) => hits
    .map(({ doc, score, twins }) => ({ id: doc.id, url: doc.url, title: doc.title, score, twins: twins.map((twin) => twin.url) })));
})();
