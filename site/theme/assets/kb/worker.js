/* Uses kb's ranking in the theme's search dialog. It exchanges the same messages as Material's own worker (0 set up, 1 ready, 2 query, 3 result), which
   still finds the site's other pages. They come after kb's pages. */
"use strict";
(function () {
  const own = self.document ? document.currentScript.src : self.location.href;
  const top = own.replace(/assets\/javascripts\/workers\/.*/, ""), parts = new Map();
  const port = self.kbPort || self;
  const PAUSE = 120, FIRST = 5, FURTHER = 20;
  let index = null, theirs = null, loading = null, setup = null, turns = 0;
  self.kbSearchPart = (name, data) => parts.set(name, data);
  self.kbSearchData = (data) => { index = kbRank.open(data, part); };
  async function part(name) {
    if (!parts.has(name)) await importScripts(top + "assets/kb/search/" + name + ".js");
    return parts.get(name);
  }
  const addressOf = (url) => kbDirectory ? url.replace(/(^|\/)index\.html/, "$1").replace(/\.html/, "/") : url;
  function item(hit, query, first, degree) {
    const { title, answers, said, about, twins } = kbRank.face(index, hit, query), [page, anchor] = addressOf(hit.doc.url || "").split("#");
    const lines = [about.join(" · "), ...twins.map(({ called, differs }) => `Also in ${called}${differs ? ": " + differs : ""}`)];
    const line = answers ? `<p><small>Answers: ${answers}</small></p>` : "";
    const above = first && kbRank.DEGREES[degree] ? `<p class="kb-degree"><small>${kbRank.DEGREES[degree]}</small></p>` : "";
    const text = `${above}${line}<p${first ? ' class="kb-answer"' : ""}>${said}</p><p>${lines.map((line) => `<small>${kbRank.escaped(line)}</small>`).join("<br>")}</p>`;
    const terms = Object.fromEntries(query.stems.map((stem) => [stem, true]));
    /* The theme shows no text for an address with a "#", so `?to=` names the anchor and kb.js goes there. */
    return [{ location: page + (anchor ? "?to=" + encodeURIComponent(anchor) : ""), title, text, score: hit.score, terms }];
  }
  /* Loads the data for the first question. Material's own worker is not needed if the site has only kb's pages. */
  async function load() {
    await importScripts(top + "assets/kb/search-data.js");
    if (!setup.data.docs.length) return;
    await importScripts(top + "assets/kb/worker-of-the-theme.js");
    let handle = null, done = null;
    self.kbOfTheTheme((_type, use) => { handle = use; }, (found) => done(found));
    theirs = (data) => new Promise((answered) => { done = answered; handle({ data }); });
    await theirs(setup);
  }
  function completed(text) {
    const word = text.split(/\s+/).pop().toLowerCase();
    return word.length > 2 ? kbAsked.completions(index, word).slice(0, 1) : [];
  }
  port.addEventListener("message", async ({ data: message }) => {
    if (message.type === 0) { setup = message; return port.postMessage({ type: 1 }); }
    if (message.type !== 2) return;
    const turn = ++turns, text = message.data.trimStart();
    await new Promise((go) => setTimeout(go, PAUSE));  /* wait, because each letter sends a new query, and an unfinished word should load nothing */
    if (turn !== turns) return;
    if (text.trim().length < 2) return port.postMessage({ type: 3, data: { items: [] } });
    try {
      await (loading ||= load());
      const found = await kbRank.ask(index, text, { within: message.within, rules: message.rules, limit: message.more ? FURTHER : FIRST, typing: true });
      const newer = kbRank.newer(index, text).map(({ says: title, game }) => [{ location: addressOf(`${game}/index.html`), title, text: "<p>Its cards and rules are not here yet. These are the closest entries:</p>", score: 1, terms: {} }]);
      const items = newer.concat(found.hits.map((hit, at) => item(hit, found.query, !at, found.degree)));
      if (theirs) items.push(...(await theirs({ type: 2, data: message.data })).data.items);
      if (turn === turns) port.postMessage({ type: 3, data: { items, suggest: completed(text), more: found.more && !message.more } });
    } catch (error) {
      loading = null;
      const words = "The search data could not be loaded: you are offline, or the site has been rebuilt. Reload this page.";
      if (turn === turns) port.postMessage({ type: 3, data: { items: [[{ location: "", title: "Search is not available", text: `<p>${words}</p>`, score: 0, terms: {} }]] } });
    }
  });
})();
