/* The site's search: loads what a query needs, shows what kbRank (rank.js) finds. The data come as scripts, so that it works from a folder
   without a server. */
"use strict";
(function () {
  let index = null, loading = null;
  const stamp = document.currentScript && document.currentScript.src ? new URL(document.currentScript.src).search : "";
  const matches = (...asked) => window.kbRank.matches(...asked);

  /* The phone edition has the data in its own file. */
  const within = document.getElementById("kb-search-data");
  if (within) { window.kbBase = "#"; window.kbSearchNow = JSON.parse(within.textContent); }

  function load(again) {
    if (!loading && within) { index = window.kbParts.open(window.kbSearchNow.data, (name) => window.kbSearchNow.parts[name]); loading = Promise.resolve(index); }
    if (!loading) {
      window.kbSearchData = (data) => { index = window.kbParts.open(data, part); };
      const scripts = ["stem.js", "parts.js", "asked.js", "rank.js"];
      loading = scripts.reduce((before, name) => before.then(() => fetched(name + stamp)), Promise.resolve())
        .then(() => fetched("search-data.js" + stamp + (again ? "&" + Date.now() : ""))).then(() => index)
        .catch((error) => { loading = null; throw error; });
    }
    return loading;
  }
  const parts = new Map();
  window.kbSearchPart = (name, data) => parts.set(name, data);
  const part = (name) => fetched("search/" + name + ".js").then(() => { const data = parts.get(name); parts.delete(name); if (!data) throw new Error("The search data could not be read."); return data; });
  /* Why a file did not come. A browser calls itself online while any cable is in it: what its server says tells more. */
  async function lack(address) {
    if (!/^https?:/.test(address)) return "A file of the search is not beside this page: copy the whole folder of the site.";
    const answer = await fetch(address, { method: "HEAD", cache: "no-store" }).catch(() => null);
    if (!answer) return "There is no network, or the site's server does not answer, and this part of the search is not on this device yet.";
    return answer.ok ? "The search data could not be read." : `The search data could not be read: the server answered ${answer.status}. Load this page again.`;
  }
  function fetched(name) {
    return new Promise((done, failed) => {
      const script = document.createElement("script");
      script.src = window.kbBase + "/assets/kb/" + name;
      script.onload = () => { script.remove(); done(); };
      script.onerror = () => lack(script.src).then((words) => failed(new Error(words)));
      document.head.append(script);
    });
  }
  /* What a question finds. A site that was written anew since the page was opened has other parts: then everything is loaded again. */
  async function search(text, options) {
    await load();
    try { return await window.kbRank.search(index, text, options); } catch (error) {
      if (within) throw error;
      loading = null;
      await load(true);
      return window.kbRank.search(index, text, options);
    }
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
  function item(hit, query) {
    const { doc, twins } = hit;
    const masked = doc.spoiler && !(window.kbFinished && window.kbFinished(doc.spoiler)) ? "Spoiler for " + doc.spoiler : "";
    const meta = element("span", "kb-results__meta",
      element("span", "kb-badge kb-badge--" + doc.kind, doc.kind.replace("-", " ")), " ", placeOf(doc), doc.source ? " · " + doc.source : "");
    if (doc.standing.startsWith("community-consensus")) meta.append(" ", element("span", "kb-badge kb-authority--community-consensus", "not official"));
    const made = element("li", "", element("span", "kb-results__title", linked(doc, masked || marked(doc.title, query))), meta);
    if (masked) made.append(element("p", "kb-results__spoiler", "Open the page to read it."));
    else if (doc.sentences.length) made.append(element("p", "", marked(window.kbRank.answer(index, hit, query), query)));
    for (const twin of twins) made.append(element("p", "kb-results__twin", "Also in ", linked(twin, twin.edition || placeOf(twin)), twin.differs ? ": " + twin.differs : ""));
    return made;
  }
  function show(box, found, within) {
    const { query, hits, total, named } = found;
    const said = element("p", "kb-results__said");
    said.setAttribute("role", "status");
    if (!hits.length) said.textContent = within ? "Nothing found here. Search wider, or with other words." : "Nothing found. Try fewer or other words.";
    else said.textContent = (query.corrected ? "Searched for “" + query.corrected + "”. " : "")
      + (named && named !== within ? "Only in " + index.places.find(([id]) => id === named)[1] + ", which you named. " : "") + total + (total === 1 ? " result" : " results");
    const list = element("ol");
    for (const hit of hits) list.append(item(hit, query));
    box.replaceChildren(said, list);
    box.classList.add("kb-results--open");
  }

  function attach(form) {
    const input = form.querySelector("[data-kb-search-input]"), box = form.querySelector("[data-kb-search-results]");
    const where = form.querySelector("[data-kb-search-in]"), page = "kbSearchPage" in form.dataset;
    const here = window.kbPlace ? window.kbPlace.split("--") : [];
    const around = form.querySelector("[data-kb-search-around]");
    let timer = 0, scope = null, turns = 0, unknown = "";
    const place = () => index.places.map(([id]) => id).filter((id) => here.join("/").startsWith(id)).sort((a, b) => b.length - a.length)[0] || "";
    const look = () => {
      const text = input.value.trim(), turn = ++turns;
      if (text.length < 2) { box.replaceChildren(...(unknown ? [element("p", "kb-results__said", unknown)] : [])); box.classList.remove("kb-results--open"); return; }
      load().then(() => {
        if (turn !== turns) return null;
        if (around && scope === null) scope = place();
        const within = where ? where.value : around ? scope : "";
        if (around) chips();
        return search(input.value.trimStart(), { within, here: page ? "" : place(), limit: page ? 40 : 8, typing: true }).then((found) => [found, within]);
      }).then((found) => {
        if (!found || turn !== turns) return;
        show(box, ...found);
        if (unknown) box.querySelector(".kb-results__said").prepend(unknown);
        if (page) history.replaceState(null, "", "?q=" + encodeURIComponent(text) + (where.value ? "&in=" + encodeURIComponent(where.value) : ""));
      }).catch((error) => {
        if (turn !== turns) return;
        box.replaceChildren(element("p", "kb-results__said", error.message));
        box.classList.add("kb-results--open");
      });
    };
    /* The set and game of the page, and everything: each a step wider. */
    function chips() {
      const own = place(), ids = [...new Set([own, own.split("/")[0], ""])];
      if (ids.length < 2) return;
      if (!form.elements.in) form.append(Object.assign(element("input"), { type: "hidden", name: "in" }));
      form.elements.in.value = scope;
      around.replaceChildren(...ids.map((id) => {
        const chip = element("button", "kb-chip", id ? index.places.find(([place]) => place === id)[1] : "Everything");
        chip.type = "button";
        chip.setAttribute("aria-pressed", String(id === scope));
        chip.addEventListener("click", () => { scope = id; look(); input.focus(); });
        return chip;
      }));
    }
    input.addEventListener("focus", () => load().then(() => { if (around) { if (scope === null) scope = place(); chips(); } }).catch(() => {}));
    input.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(look, 60); });
    if (where) where.addEventListener("change", () => { unknown = ""; look(); });
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
      if (where.selectedIndex < 0) { where.value = ""; unknown = `There is no game or set “${asked.get("in")}” here: all games are searched. `; }
      look();
      if (!input.value) input.focus();
    }
  }

  document.querySelectorAll("[data-kb-search]").forEach(attach);

  document.addEventListener("keydown", (event) => {
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    if (!((event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) || (event.key === "k" && (event.ctrlKey || event.metaKey)))) return;
    const field = document.querySelector("[data-kb-search-input]");
    event.preventDefault();
    field.focus();
    field.select();
  });

  /* For tests: the hits of a query, best first. */
  window.kbSearch = (text, within, limit) => search(text, { within: within || "", limit: limit || 10 }).then(({ hits }) => hits
    .map(({ doc, score, twins }) => ({ id: doc.id, url: doc.url, title: doc.title, score, twins: twins.map((twin) => twin.url) })));
})();
