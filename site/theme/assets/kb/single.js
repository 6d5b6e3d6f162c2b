/* The phone edition: one file with all entries by the part of the address after `#/`, and the search, which shows what kbRank (rank.js)
   finds. The texts lie in the file as JSON. */
"use strict";
(function () {
  const read = (id) => JSON.parse(document.getElementById(id).textContent), { data, parts } = read("kb-search-data"), index = kbRank.open(data, (name) => parts[name]);
  const bodies = read("kb-bodies"), contents = read("kb-contents"), main = document.getElementById("kb-one"), entries = new Map(), byAddress = new Map(), cards = new Map();
  const texts = data.documents.parts.texts.filter((_each, at) => at % 2).flatMap((each) => parts[each]);
  texts.forEach((row, number) => {
    const [id, address, title, source, said, kind, spoiler] = kbRank.inFull(index.folder[number], row);
    if (kind) { entries.set(id, { id, kind, address, title: plain(spoiler ? "Spoiler for " + spoiler : title), source }); byAddress.set(address, id); return; }
    const card = { title, source, types: said };
    cards.set(id + ".html", card);
    if (address) cards.set(address, card);
  });
  for (const [address, [title, types]] of Object.entries(read("kb-cards"))) if (!cards.has(address)) cards.set(address, { title, types, source: "" });

  function plain(title) { return title.replace(/\[([a-z_]+)\]/g, "$1"); }
  /* An element, `name` with its classes after dots. */
  function make(name, ...children) {
    const [tag, ...classes] = name.split("."), made = document.createElement(tag);
    if (classes.length) made.className = classes.join(" ");
    made.append(...children);
    return made;
  }
  const html = (name, innerHTML) => Object.assign(make(name), { innerHTML });
  const link = (address, words) => Object.assign(make("a", words), { href: "#/" + address }), badge = (kind) => make(`span.kb-badge.kb-badge--${kind}`, kind.replace("-", " "));
  const linkTo = (id) => make("li", link(id + ".html", entries.get(id).title));

  /* Pages */
  const shelfOf = (id) => contents.filter(([shelf]) => (id + "/").startsWith(shelf + "/")).sort((a, b) => b[0].length - a[0].length)[0];
  const page = (title, ...parts) => [make("h1", title), ...parts];
  const below = (shelf, ...rest) => [make("p.kb-crumbs", shelf ? link(shelf[0] + "/index.html", shelf[1]) : link("", "Contents")), ...page(...rest)];
  const home = () => page("Contents", make("p.kb-lead", "Every rule, ruling, erratum and taboo, and the search, in this one file."),
    make("ul", ...contents.filter(([, , chapters]) => chapters.some(([, ids]) => ids.length)).map(([id, title]) => make("li", link(id + "/index.html", title)))));
  const shelf = ([, title, chapters]) => below(null, title, ...chapters.flatMap(([name, ids]) => {
    const known = ids.filter((id) => entries.has(id));
    return known.length ? [make("details", make("summary", name + " ", make("small", String(known.length))), make("ul", ...known.map(linkTo)))] : [];
  }));
  const source = (word, words) => (words ? [make("p.kb-source", make("span", word), " " + words)] : []);
  const entry = ({ id, title, kind, source: from }) => below(shelfOf(id), title, make("p.kb-badges", badge(kind)),
    html("div", bodies[id] || ""), ...source("Source", from));  /* rendered by kb from the parser's tokens; the policy of this file lets no script in it run */
  const card = ({ title, types, source: from }) => below(null, title, make("p", types), ...source("In", from));
  function show() {
    let address = location.hash.replace(/^#\/?/, "");
    try { address = decodeURIComponent(address); } catch { /* a stray %: no page is called so */ }
    const [path, anchor] = address.split("#"), id = byAddress.get(address) || byAddress.get(path), found = contents.find(([shelf]) => path === shelf + "/index.html"), named = cards.get(address) || cards.get(path);
    const list = path ? [...entries.values()].filter(({ address }) => address.split("#")[0] === path) : [];
    main.replaceChildren(...(id ? entry(entries.get(id)) : found ? shelf(found) : named ? card(named) : list.length ? below(null, "List", make("ul", ...list.map(({ id }) => linkTo(id)))) : home()));
    document.title = main.querySelector("h1").textContent + " · kb";
    const part = anchor && document.getElementById(anchor);
    if (part) part.scrollIntoView(); else scrollTo(0, 0);
  }
  addEventListener("hashchange", () => { close(); show(); main.focus({ preventScroll: true }); });
  main.addEventListener("click", (event) => {
    const to = event.target.closest("a"), href = to && to.getAttribute("href");
    if (!href || /^(?:[a-z]+:|\/\/|#\/)/i.test(href)) return;
    event.preventDefault();
    if (href.startsWith("#")) document.getElementById(href.slice(1))?.scrollIntoView();
    else location.hash = "#/" + href;
  });

  /* The search */
  const form = document.querySelector("[data-kb-search]"), input = form.querySelector("input"), box = form.querySelector(".kb-results"), open = "kb-results--open";
  const close = () => box.classList.remove(open);
  function item(hit, query) {
    const { doc } = hit, { title, said, about: [, ...about], twins } = kbRank.face(index, hit, query), unofficial = about.at(-1) === "not official" && about.pop();
    const named = html("span", title), made = make("li", make("span.kb-results__title", doc.url ? link(doc.url, named) : named), make("span.kb-results__meta", badge(doc.kind), " " + about.join(" · ")));
    if (unofficial) made.lastChild.append(" ", make("span.kb-badge.kb-authority--community-consensus", unofficial));
    if (said) made.append(html(doc.spoiler ? "p.kb-results__spoiler" : "p", said));
    for (const { url, called, differs } of twins) made.append(make("p", "Also in ", url ? link(url, called) : called, differs ? ": " + differs : ""));
    return made;
  }
  let timer = 0, turns = 0;
  async function look() {
    const text = input.value.trimStart(), turn = ++turns;
    if (text.trim().length < 2) { box.replaceChildren(); return close(); }
    const { query, hits, total, named } = await kbRank.search(index, text, { limit: 8, typing: true, links: true });
    if (turn !== turns) return undefined;
    const said = make("p.kb-results__said", !hits.length ? "Nothing found. Try fewer or other words." : (query.corrected ? `Searched for “${query.corrected}”. ` : "")
      + (named ? `Only in ${index.places.find(([id]) => id === named)[1]}, which you named. ` : "") + total + (total === 1 ? " result" : " results"));
    said.role = "status";
    box.replaceChildren(said, make("ol", ...hits.map((hit) => item(hit, query))));
    return box.classList.add(open);
  }
  input.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(look, 60); });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { close(); return input.blur(); }
    const stops = [input, ...box.querySelectorAll("a")], step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return undefined;
    event.preventDefault();
    return stops[Math.min(Math.max(0, stops.indexOf(document.activeElement) + step), stops.length - 1)].focus();
  });
  document.addEventListener("click", ({ target }) => { if (!form.contains(target)) close(); });
  document.addEventListener("keydown", (event) => {
    const command = event.ctrlKey || event.metaKey;
    if (!(command ? event.key === "k" : event.key === "/" && !event.altKey && !event.target.matches("input, textarea, select"))) return;
    event.preventDefault();
    input.focus();
    input.select();
  });

  show();
})();
