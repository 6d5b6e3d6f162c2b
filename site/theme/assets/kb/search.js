/* The site's search: reads the data, shows what kbRank (rank.js) finds. The data come as a script, so that it works from a folder without
   a server. */
"use strict";
(function () {
  const { build, search, answer, matches } = window.kbRank;
  let index = null, loading = null;

  /* The phone edition has the data in its own file. */
  const within = document.getElementById("kb-search-data");
  if (within) { window.kbBase = "#"; window.kbSearchNow = () => JSON.parse(within.textContent); }

  function load() {
    if (!loading && within) { index = build(window.kbSearchNow()); loading = Promise.resolve(index); }
    if (!loading) loading = new Promise((done, failed) => {
      window.kbSearchData = (data) => { index = build(data); done(index); };
      const script = document.createElement("script");
      script.src = window.kbBase + "/assets/kb/search-data.js";
      script.onerror = () => { loading = null; failed(new Error("The search data could not be read.")); };
      document.head.append(script);
    });
    return loading;
  }

  function marked(text, query) {
    const out = document.createDocumentFragment();
    let at = 0;
    for (const [start, end] of matches(text, query)) {
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
    link.href = window.kbBase + "/" + doc.url;
    return link;
  }
  function item(doc, twins, query) {
    const masked = doc.spoiler ? "Spoiler for " + doc.spoiler : "";
    const meta = element("span", "kb-results__meta",
      element("span", "kb-badge kb-badge--" + doc.kind, doc.kind.replace("-", " ")), " ", placeOf(doc), doc.source ? " · " + doc.source : "");
    if (doc.standing.startsWith("community-consensus")) meta.append(" ", element("span", "kb-badge kb-authority--community-consensus", "not official"));
    const made = element("li", "", element("span", "kb-results__title", linked(doc, masked || marked(doc.title, query))), meta);
    if (masked) made.append(element("p", "kb-results__spoiler", "Open the page to read it."));
    else if (doc.sentences.length) made.append(element("p", "", marked(answer(index, doc, query), query)));
    for (const twin of twins) made.append(element("p", "kb-results__twin", "Also in ", linked(twin, placeOf(twin)), twin.differs ? ": " + twin.differs : ""));
    return made;
  }
  function show(box, found, text, within) {
    const { query, hits, total, named } = found;
    const said = element("p", "kb-results__said");
    said.setAttribute("role", "status");
    if (!hits.length) said.textContent = "Nothing found. Try fewer or other words.";
    else said.textContent = (query.corrected ? "Searched for “" + query.corrected + "”. " : "")
      + (named && named !== within ? "Only in " + index.places.find(([id]) => id === named)[1] + ", which you named. " : "") + total + (total === 1 ? " result" : " results");
    const list = element("ol");
    for (const { doc, twins } of hits) list.append(item(doc, twins, query));
    box.replaceChildren(said, list);
    box.classList.add("kb-results--open");
  }

  function attach(form) {
    const input = form.querySelector("[data-kb-search-input]"), box = form.querySelector("[data-kb-search-results]");
    const where = form.querySelector("[data-kb-search-in]"), page = "kbSearchPage" in form.dataset;
    const here = window.kbPlace ? window.kbPlace.split("--") : [];
    let timer = 0;
    const place = () => index.places.map(([id]) => id).filter((id) => here.join("/").startsWith(id)).sort((a, b) => b.length - a.length)[0] || "";
    const look = () => {
      const text = input.value.trim();
      if (text.length < 2) { box.replaceChildren(); box.classList.remove("kb-results--open"); return; }
      load().then(() => {
        if (input.value.trim() !== text) return;
        const within = where ? where.value : "";
        show(box, search(index, input.value.trimStart(), { within, here: page ? "" : place(), limit: page ? 40 : 8, typing: true }), text, within);
        if (page) history.replaceState(null, "", "?q=" + encodeURIComponent(text) + (where.value ? "&in=" + encodeURIComponent(where.value) : ""));
      }).catch((error) => { box.replaceChildren(element("p", "kb-results__said", error.message)); });
    };
    input.addEventListener("focus", () => load().catch(() => {}));
    input.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(look, 60); });
    if (where) where.addEventListener("change", look);
    form.addEventListener("submit", (event) => { if (page) { event.preventDefault(); look(); } });
    form.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowDown" && event.key !== "ArrowUp") {
        if (event.key !== "Escape") return;
        const around = form.closest("dialog");
        if (around) { event.preventDefault(); around.close(); } else { box.classList.remove("kb-results--open"); input.blur(); }
        return;
      }
      const links = [...box.querySelectorAll("a")], at = links.indexOf(document.activeElement);
      if (!links.length) return;
      event.preventDefault();
      const next = at + (event.key === "ArrowDown" ? 1 : -1);
      (next < 0 ? input : links[Math.min(next, links.length - 1)]).focus();
    });
    if (!page) document.addEventListener("click", (event) => { if (!form.contains(event.target)) box.classList.remove("kb-results--open"); });
    if (page) {
      const asked = new URLSearchParams(location.search);
      input.value = asked.get("q") || "";
      if (asked.get("in")) where.value = asked.get("in");
      look();
      if (!input.value) input.focus();
    }
  }

  document.querySelectorAll("[data-kb-search]").forEach(attach);
  const dialog = document.getElementById("kb-dialog");
  const open = () => { if (dialog && !dialog.open) { dialog.showModal(); dialog.querySelector("input").select(); } };
  document.querySelectorAll("[data-kb-open-search]").forEach((button) => button.addEventListener("click", () => {
    const field = document.querySelector("article [data-kb-search-input]");
    if (field) field.focus(); else open();
  }));
  if (dialog) {
    dialog.querySelector("[data-kb-close]").addEventListener("click", () => dialog.close());
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  }
  document.addEventListener("keydown", (event) => {
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) || event.target.isContentEditable;
    if ((event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) || (event.key === "k" && (event.ctrlKey || event.metaKey))) {
      event.preventDefault();
      const field = document.querySelector("article [data-kb-search-input]");
      if (field) field.focus(); else open();
    }
  });

  /* For tests: the hits of a query, best first. */
  window.kbSearch = (text, within, limit) => load().then(() => search(index, text, { within: within || "", limit: limit || 10 }).hits
    .map(({ doc, score, twins }) => ({ id: doc.id, url: doc.url, title: doc.title, score, twins: twins.map((twin) => twin.url) })));
})();
