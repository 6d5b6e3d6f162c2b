/* The site's search: the ranking of kb/search (BM25F, then how well title, names and questions fit), run on this page. The data
   come as a script, so that it works from a folder without a server. */
"use strict";
(function () {
  const { WORD, words, stemmed, fold } = window.kbText;
  const RULES = {};
  let index = null, loading = null;

  function load() {
    if (!loading) loading = new Promise((done, failed) => {
      window.kbSearchData = (data) => { index = build(data); done(index); };
      const script = document.createElement("script");
      script.src = window.kbBase + "/assets/kb/search-data.js";
      script.onerror = () => { loading = null; failed(new Error("The search data could not be read.")); };
      document.head.append(script);
    });
    return loading;
  }

  function build(data) {
    Object.assign(RULES, data.rules, { stop: new Set(data.rules.stop) });
    const docs = [], postings = new Map(), lexicon = new Map();
    const stems = (text) => words(text).filter((word) => !RULES.stop.has(word)).map(stemmed);
    const add = (doc, fields) => {
      const weights = new Map();
      let length = 0;
      for (const [place, texts] of fields) for (const text of texts) for (const stem of stems(text)) {
        length += 1;
        weights.set(stem, (weights.get(stem) || 0) + RULES.weights[place]);
      }
      const factor = 1 - RULES.length_share + RULES.length_share * length / RULES.usual_length;
      const number = docs.push(doc) - 1;
      for (const [stem, weight] of weights) {
        let list = postings.get(stem);
        if (!list) postings.set(stem, list = []);
        list.push(number, weight / factor);
      }
    };
    const learn = (text, count) => {
      for (const word of words(text)) if (word.length > 2 && !word.startsWith("[")) lexicon.set(word, (lexicon.get(word) || 0) + count);
    };
    for (const [title, url, kind, place, source, standing, aliases, asked, text, cards, spoiler, parts, scope, older] of data.entries) {
      add({ title, url, kind, place, scope, source, standing, text, spoiler,
        names: [title, ...aliases, ...parts].map(stems), asked: asked.map(stems), related: cards.map(stems) },
      [["title", [title]], ["alias", aliases], ["asked", asked], ["part", parts], ["related", cards], ["body", [text]], ["older", [older]]]);
      learn(title, 12); aliases.forEach((alias) => learn(alias, 8)); asked.forEach((question) => learn(question, 1)); learn(text, 1);
    }
    for (const [title, url, text, place] of data.cards) {
      add({ title, url, kind: "card", place, scope: [], source: "", standing: "card", text, spoiler: "", names: [stems(title)], asked: [], related: [] },
        [["title", [title]], ["body", [text]]]);
      learn(title, 1);
    }
    const synonyms = Object.entries(data.synonyms);
    const called = Object.entries(data.called).flatMap(([scope, names]) => names.map((name) => [name, scope])).sort((a, b) => b[0].length - a[0].length);
    return { docs, postings, lexicon, synonyms, called, places: data.places };
  }

  /* Documents that hold an index word, with its weight in each: number, weight, number, weight … */
  function postings(stem, inside) {
    const list = index.postings.get(stem) || [];
    if (!inside) return list;
    const kept = [];
    for (let at = 0; at < list.length; at += 2) if (inside(index.docs[list[at]])) kept.push(list[at], list[at + 1]);
    return kept;
  }
  /* The word of a phrase that stands in the fewest documents. */
  function rarest(phrase) {
    const often = (word) => (index.postings.get(word) || []).length;
    return phrase.split(" ").reduce((best, word) => (often(word) < often(best) ? word : best));
  }

  /* The nearest known word within one or two changes; the more frequent of equally near ones. */
  function correct(word) {
    if (word.length < 4) return null;
    const most = word.length > 6 ? 2 : 1;
    let best = null, bestScore = Infinity;
    for (const [known, count] of index.lexicon) {
      if (Math.abs(known.length - word.length) > most || count < 2) continue;
      const changes = distance(word, known, most);
      if (changes > most) continue;
      const score = changes - Math.log(count) / 20 + (known[0] === word[0] ? 0 : 0.6);
      if (score < bestScore) { best = known; bestScore = score; }
    }
    return best;
  }
  function distance(a, b, most) {
    let before = null, last = Array.from({ length: b.length + 1 }, (_, at) => at);
    for (let i = 1; i <= a.length; i++) {
      const row = [i];
      let least = i;
      for (let j = 1; j <= b.length; j++) {
        let cost = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
        if (before && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before[j - 2] + 1);
        row.push(cost);
        if (cost < least) least = cost;
      }
      if (least > most) return least;
      before = last; last = row;
    }
    return last[b.length];
  }

  /* The game or set that a question names, and the question without the name. */
  function namedScope(text) {
    const typed = " " + words(text).join(" ") + " ";
    const found = index.called.find(([name]) => typed.includes(" " + name + " "));
    const rest = found ? typed.replace(" " + found[0] + " ", " ").trim() : "";
    return rest ? [found[1], rest] : ["", text];
  }

  function analyse(text, within) {
    const all = words(text);
    let typed = all.filter((word) => !RULES.stop.has(word));
    if (!typed.length) typed = all;
    let shown = text, changed = false;
    typed = typed.map((word) => {
      if (RULES.stop.has(word) || index.postings.has(stemmed(word))) return word;
      const better = correct(word);
      if (better) { shown = shown.toLowerCase().replace(word, better); changed = true; }
      return better || word;
    });
    const stems = typed.map(stemmed), phrase = " " + stems.join(" ") + " ", alternatives = new Map();
    for (const [game, groups] of index.synonyms) {
      if (within && !within.startsWith(game)) continue;
      for (const group of groups) {
        const present = group.find((member) => phrase.includes(" " + member + " "));
        if (present === undefined) continue;
        const meant = rarest(present);
        for (const word of group.map(rarest)) if (!stems.includes(word) && !alternatives.has(word)) alternatives.set(word, meant);
      }
    }
    return { stems: [...new Set(stems)], weights: new Map(), alternatives, total: 1, corrected: changed ? shown : null };
  }

  /* Gives each word of the query its weight (rare words among the documents asked for count more) and returns the points of
     every document that holds one; of a word and its synonyms only the best counts. */
  function match(query, inside) {
    const points = new Map(), total = inside ? index.docs.filter(inside).length : index.docs.length;
    const saturated = (often) => often / (often + RULES.saturation);
    query.total = 0;
    for (const word of query.stems) {
      const own = postings(word, inside), weight = Math.log(1 + total / (own.length / 2 + 1)) + 0.5, gained = new Map();
      query.weights.set(word, weight);
      query.total += weight;
      for (let at = 0; at < own.length; at += 2) gained.set(own[at], saturated(own[at + 1]));
      for (const [other, meant] of query.alternatives) {
        if (meant !== word) continue;
        const list = postings(other, inside);
        for (let at = 0; at < list.length; at += 2) gained.set(list[at], Math.max(gained.get(list[at]) || 0, RULES.synonym * saturated(list[at + 1])));
      }
      for (const [number, value] of gained) points.set(number, (points.get(number) || 0) + value * weight);
    }
    query.total = query.total || 1;
    return points;
  }

  function overlap(query, list) {
    const found = new Map();
    for (const word of list) {
      if (query.weights.has(word)) found.set(word, query.weights.get(word));
      else if (query.alternatives.has(word)) {
        const meant = query.alternatives.get(word);
        found.set(meant, Math.max(found.get(meant) || 0, 0.8 * (query.weights.get(meant) || 0)));
      }
    }
    let sum = 0;
    for (const weight of found.values()) sum += weight;
    return sum;
  }
  function fit(query, list) {
    const shared = overlap(query, list);
    if (!shared) return 0;
    let size = 0;
    for (const word of new Set(list)) size += query.weights.get(word) || 2;
    return 2 * shared / (query.total + Math.max(size, shared));
  }
  const most = (list, of) => list.reduce((best, item) => Math.max(best, of(item)), 0);

  function search(text, within, here, limit) {
    const [meant, rest] = namedScope(text), query = analyse(rest, within);
    const below = index.places.map(([place]) => place === within || place.startsWith(within + "/"));
    const inside = within ? (doc) => below[doc.place] || doc.scope.some((place) => below[place]) : null;
    const points = match(query, inside);
    const best = [...points].sort((a, b) => b[1] - a[1]).slice(0, Math.max(RULES.candidates, limit));
    const hits = best.map(([number, base]) => {
      const doc = index.docs[number];
      const name = most(doc.names, (list) => fit(query, list));
      const asked = most(doc.asked, (list) => fit(query, list));
      const card = most(doc.related, (list) => overlap(query, list) / query.total);
      let standing = RULES.standing[doc.standing] || 1;
      if (name >= RULES.exact) standing = RULES.named;
      const near = here && (index.places[doc.place][0] === here ? 1.25 : index.places[doc.place][0].split("/")[0] === here.split("/")[0] ? 1.1 : 1);
      return [base * (1 + RULES.name * name + RULES.asked * asked + RULES.card * card) * standing * (near || 1)
        * (meant && doc.url.startsWith(meant) ? RULES.preferred : 1), doc];
    });
    hits.sort((a, b) => b[0] - a[0] || (a[1].url < b[1].url ? -1 : 1));
    return { query, total: points.size, hits: hits.slice(0, limit).map(([score, doc]) => ({ ...doc, score })) };
  }

  const SENTENCE = /(?<=[.!?])(?<!\bp\.)(?<!\bpp\.)(?<!\bvs\.)\s+(?=["“(\[A-Z0-9])/;
  function snippet(doc, query) {
    const sentences = doc.text.split(SENTENCE);
    let best = 0, bestScore = -1;
    sentences.forEach((sentence, at) => {
      const score = overlap(query, words(sentence).map(stemmed)) * (at ? 1 : 1.15);
      if (score > bestScore) { best = at; bestScore = score; }
    });
    let text = sentences[best] || "";
    if (text.length < 90 && sentences[best + 1]) text += " " + sentences[best + 1];
    return text.length > 240 ? text.slice(0, 240).replace(/\s\S*$/, "") + " …" : text;
  }
  function marked(text, query) {
    const out = document.createDocumentFragment();
    let at = 0;
    for (const found of text.matchAll(WORD)) {
      const stem = stemmed(fold(found[0]));
      if (!query.weights.has(stem) && !query.alternatives.has(stem)) continue;
      out.append(text.slice(at, found.index));
      const mark = document.createElement("mark");
      mark.textContent = found[0];
      out.append(mark);
      at = found.index + found[0].length;
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

  function show(box, found, text) {
    const { query, hits, total } = found;
    const said = element("p", "kb-results__said");
    said.setAttribute("role", "status");
    if (!hits.length) said.textContent = "Nothing found. Try fewer or other words.";
    else said.textContent = (query.corrected ? "Searched for “" + query.corrected + "”. " : "") + total + (total === 1 ? " result" : " results");
    const list = element("ol");
    for (const doc of hits) {
      const link = element("a", "", marked(doc.title, query));
      link.href = window.kbBase + "/" + doc.url;
      const meta = element("span", "kb-results__meta",
        element("span", "kb-badge kb-badge--" + doc.kind, doc.kind.replace("-", " ")), " ", index.places[doc.place][1], doc.source ? " · " + doc.source : "");
      if (doc.standing.startsWith("community-consensus")) meta.append(" ", element("span", "kb-badge kb-authority--community-consensus", "not official"));
      const item = element("li", "", element("span", "kb-results__title", link), meta);
      if (doc.spoiler) item.append(element("p", "kb-results__spoiler", "Spoiler for " + doc.spoiler + ": open the page to read it."));
      else if (doc.text) item.append(element("p", "", marked(snippet(doc, query), query)));
      list.append(item);
    }
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
        show(box, search(text, where ? where.value : "", page ? "" : place(), page ? 40 : 8), text);
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
  window.kbSearch = (text, within, limit) => load().then(() => search(text, within || "", "", limit || 10).hits.map((doc) => ({ url: doc.url, title: doc.title, score: doc.score })));
})();
