/* The phone edition: one file, pages by the part of the address after `#/`. The texts lie in the file as JSON. */
"use strict";
(function () {
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const bodies = read("kb-bodies"), contents = read("kb-contents"), main = document.getElementById("kb-one");
  const entries = new Map(), byAddress = new Map(), cards = new Map(), { data, parts } = window.kbSearchNow;
  const folders = window.kbParts.unrolled(data.documents.folders), texts = data.documents.parts.texts.filter((_each, at) => at % 2).flatMap((each) => parts[each]);
  texts.forEach((row, number) => {
    const [id, address, title, source, said, kind, spoiler] = window.kbParts.inFull(folders[number], row);
    if (kind) { entries.set(id, { id, kind, address, title: spoiler ? "Spoiler for " + spoiler : title, source }); byAddress.set(address, id); return; }
    const card = { title, source, types: said };
    cards.set(id + ".html", card);
    if (address) cards.set(address, card);
  });
  const make = (name, className, ...children) => { const made = document.createElement(name); if (className) made.className = className; made.append(...children); return made; };
  for (const [address, [title, types]] of Object.entries(read("kb-cards"))) if (!cards.has(address)) cards.set(address, { title, types, source: "" });
  const link = (id) => { const made = make("a", "", entries.get(id).title.replace(/\[([a-z_]+)\]/g, "$1")); made.href = "#/" + id + ".html"; return made; };
  const shelfOf = (id) => contents.filter(([shelf]) => id === shelf || id.startsWith(shelf + "/")).sort((a, b) => b[0].length - a[0].length)[0];
  const crumbs = (shelf) => { const up = make("a", "", shelf ? shelf[1] : "Contents"); up.href = shelf ? "#/" + shelf[0] + "/index.html" : "#/"; return make("p", "kb-crumbs", up); };

  function home() {
    const list = make("ul");
    for (const [id, title, chapters] of contents) {
      if (!chapters.some(([, ids]) => ids.length)) continue;
      const to = make("a", "", title);
      to.href = "#/" + id + "/index.html";
      list.append(make("li", "", to));
    }
    return [make("h1", "", "Contents"), make("p", "kb-lead", "Every rule, ruling, erratum and taboo, and the search, in this one file."), list];
  }
  function shelf([, title, chapters]) {
    const made = [crumbs(null), make("h1", "", title)];
    for (const [name, ids] of chapters) {
      const known = ids.filter((id) => entries.has(id));
      if (!known.length) continue;
      const list = make("ul", "");
      list.append(...known.map((id) => make("li", "", link(id))));
      made.push(make("details", "", make("summary", "", name + " "), list));
      made.at(-1).firstChild.append(make("small", "", String(known.length)));
    }
    return made;
  }
  function entry(id) {
    const { title, kind, source } = entries.get(id), text = make("div");
    text.innerHTML = bodies[id] || "";  /* rendered by kb from the parser's tokens; the policy of this file lets no script in it run */
    return [crumbs(shelfOf(id)), make("h1", "", title.replace(/\[([a-z_]+)\]/g, "$1")), make("p", "kb-badges", make("span", "kb-badge kb-badge--" + kind, kind.replace("-", " "))),
      text, make("p", "kb-source", make("span", "", "Source"), " " + source)];
  }
  const card = ({ title, source, types }) => [crumbs(null), make("h1", "", title), make("p", "", types), ...(source ? [make("p", "kb-source", make("span", "", "In"), " " + source)] : [])];

  function show() {
    let address = location.hash.replace(/^#\/?/, "");
    try { address = decodeURIComponent(address); } catch (error) { /* a stray %: no page is called so */ }
    const [path, anchor] = address.split("#");
    const id = byAddress.get(address) || byAddress.get(path), found = contents.find(([shelf]) => path === shelf + "/index.html");
    const known = id ? entry(id) : found ? shelf(found) : cards.has(address) || cards.has(path) ? card(cards.get(address) || cards.get(path)) : null;
    const list = !known && path ? [...entries.values()].filter(({ address }) => address.split("#")[0] === path).map(({ id: each }) => make("li", "", link(each))) : [];
    main.replaceChildren(...(known || (list.length ? [crumbs(null), make("h1", "", "List"), make("ul", "", ...list)] : home())));
    document.title = (main.querySelector("h1") || {}).textContent + " · kb";
    const part = anchor && document.getElementById(anchor);
    if (part) part.scrollIntoView(); else scrollTo(0, 0);
  }
  addEventListener("hashchange", () => { document.querySelector(".kb-results").classList.remove("kb-results--open"); show(); main.focus({ preventScroll: true }); });
  main.addEventListener("click", (event) => {
    const to = event.target.closest("a"), href = to && to.getAttribute("href");
    if (!href || /^(?:[a-z]+:|\/\/|#\/)/i.test(href)) return;
    event.preventDefault();
    if (href.startsWith("#")) { const part = document.getElementById(href.slice(1)); if (part) part.scrollIntoView(); return; }
    location.hash = "#/" + href;
  });
  const dark = matchMedia("(prefers-color-scheme: dark)"), paint = () => { document.body.dataset.mdColorScheme = dark.matches ? "slate" : "default"; };
  dark.addEventListener("change", paint);
  paint();
  show();
})();
