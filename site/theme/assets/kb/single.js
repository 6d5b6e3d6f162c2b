/* The phone edition: its search, which shows the results of kbRank (rank.js). The style sheet shows the part that the address names. */
"use strict";
(function () {
  const { data, parts } = JSON.parse(document.getElementById("kb-search-data").textContent), index = kbRank.open(data, (name) => parts[name]);
  const form = document.querySelector("form"), input = form.querySelector("input"), box = form.querySelector(".kb-results");
  const html = (innerHTML) => document.createRange().createContextualFragment(innerHTML);
  /* Returns the part of the file for a page of the site. A card that no text names has no part. */
  const link = (url, title) => (document.getElementById(url) ? `<a href="#${kbRank.escaped(url)}">${title}</a>` : title);

  function item(hit, query) {
    const { doc } = hit, { title, answers, said, about: [kind, ...about], twins } = kbRank.face(index, hit, query), { escaped } = kbRank;
    const also = twins.map(({ url, called, differs }) => `<p>Also in ${link(url, escaped(called))}${differs ? escaped(`: ${differs}`) : ""}</p>`);
    return `<li><span class="kb-results__title">${link(doc.url, title)}</span><small><span class="kb-badge kb-badge--${doc.kind}">${kind}</span> ${escaped(about.join(" · "))}</small>${answers ? `<p class="kb-small">Answers: ${answers}</p>` : ""}<p>${said}</p>${also.join("")}</li>`;
  }
  let timer = 0, turns = 0;
  async function look() {
    const text = input.value.trimStart(), turn = ++turns;
    box.hidden = text.trim().length < 2;
    if (box.hidden) return;
    const { query, hits, total, named, degree } = await kbRank.ask(index, text, { limit: 8, typing: true, links: true });
    if (turn !== turns) return;
    const newer = kbRank.newer(index, text).map(({ says }) => `${says} `).join("");
    const said = newer + (!hits.length ? "Nothing found. Try fewer or different words." : (query.corrected ? `Searched for “${query.corrected}”. ` : "")
      + (named ? `Results are limited to ${index.places.find(([id]) => id === named)[1]}, because you named it. ` : "") + total + (total === 1 ? " result" : " results"));
    box.replaceChildren(html(`<p class="kb-small" role="status">${kbRank.escaped(said)}</p>${hits.length && kbRank.DEGREES[degree] ? `<p class="kb-small kb-degree">${kbRank.DEGREES[degree]}</p>` : ""}<ol>${hits.map((hit) => item(hit, query)).join("")}</ol>`));
  }
  input.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(look, 60); });
  form.addEventListener("submit", (event) => event.preventDefault());
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") box.hidden = true;
    if (event.key !== "/" || event.target === input) return;
    event.preventDefault();
    input.select();
  });
  document.addEventListener("click", ({ target }) => { if (!form.contains(target) || target.closest("a")) box.hidden = true; });

  const own = document.title;
  function titled() {
    const shown = document.querySelector("section :target")?.closest("article");
    document.title = shown ? `${shown.querySelector("h1").textContent} · ${own}` : own;
  }
  addEventListener("hashchange", titled);
  titled();
})();
