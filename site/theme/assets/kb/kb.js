/* Additions to the theme: spoilers, citations, sheets that fit on paper, table rows on a phone, the scope of the search. */
"use strict";
(function () {
  /* Functions for other scripts: elements, values stored in this browser, parts of the address */
  /* Makes an element: its name with classes after dots, its attributes (a function is the handler of an event), its children. Buttons do not submit forms. */
  window.kbMake = (name, ...children) => {
    const [tag, ...classes] = name.split("."), made = document.createElement(tag);
    if (tag === "button") made.type = "button";
    for (const [key, value] of Object.entries(children[0]?.constructor === Object ? children.shift() : {})) {
      if (typeof value === "function") made[`on${key}`] = value;
      else if (value !== false) made.setAttribute(key, value === true ? "" : value);
    }
    if (classes.length) made.classList.add(...classes);
    made.append(...children);
    return made;
  };
  const make = kbMake, all = (which) => document.querySelectorAll(which);
  window.kbCopy = async (button, text) => {
    const words = button.textContent;
    button.textContent = await navigator.clipboard?.writeText(text).then(() => "Copied", () => "") || "This browser does not allow copying";
    setTimeout(() => { button.textContent = words; }, 1500);
  };
  /* Returns a text without capitals and accents. */
  window.kbFold = (text) => text.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");
  window.kbBase = String(__md_scope).replace(/\/$/, "");
  window.kbKept = { get(key) { try { return __md_get(key); } catch (error) { return null; } }, set: __md_set };
  const finished = () => [].concat(kbKept.get("finished") || []);
  window.kbFinished = (campaign) => finished().includes(campaign);
  window.kbPart = () => { const part = location.hash.slice(1); try { return decodeURIComponent(part); } catch (error) { return part; } };
  /* Goes to the part of the page that a search result names in `?to=` (worker.js). */
  const within = new URLSearchParams(location.search).get("to");
  if (within) location.replace("#" + within);

  for (const path of all(".md-path")) path.ariaLabel = "You are here";  /* the theme names two landmarks "Navigation", and others only by an icon */
  for (const part of all(".md-nav[aria-labelledby]")) {
    const title = part.querySelector(":scope > .md-nav__title");
    if (title) { part.removeAttribute("aria-labelledby"); part.ariaLabel = title.textContent.trim(); }
  }

  /* The theme's menu button is a label, which the keyboard cannot reach. */
  for (const drawer of all(".md-header__button[for=__drawer]")) {
    const click = () => document.getElementById("__drawer").click();
    drawer.replaceWith(make("button", { class: drawer.className, for: "__drawer", "aria-label": "Menu", click }, ...drawer.childNodes));
  }

  /* On a phone the open menu keeps the focus, and Escape closes it. */
  const menu = document.getElementById("__drawer"), around = () => all(".md-header, .md-tabs, .md-content, .md-sidebar--secondary, .md-footer, .md-top, .md-skip");
  if (menu) {
    menu.addEventListener("change", () => {
      const open = menu.checked && matchMedia("(max-width: 76.2344em)").matches;
      for (const each of around()) each.inert = open;
      if (open) document.querySelector(".md-sidebar--primary a")?.focus({ preventScroll: true });
    });
    addEventListener("keydown", ({ key }) => {
      if (key !== "Escape" || !menu.checked) return;
      menu.click();
      document.querySelector(".md-header__button[for=__drawer]")?.focus();
    });
  }

  /* The theme adds buttons to code blocks when they become visible, as landmarks without a name. */
  let blocks = 0;
  const called = () => all(".md-code__nav:not([aria-label])").forEach((part) => { part.ariaLabel = `Code block ${++blocks}`; });
  if (document.querySelector("pre > code")) new MutationObserver(called).observe(document.body, { childList: true, subtree: true });

  /* Spoilers */
  let titled = "";
  function reveal() {
    for (const masked of all(".kb-masked")) {
      masked.dataset.shown ||= masked.textContent;
      masked.textContent = kbFinished(masked.dataset.campaign) || masked.dataset.opened ? masked.dataset.told : masked.dataset.shown;
    }
    for (const fold of all("details.spoiler[data-campaign]")) if (kbFinished(fold.dataset.campaign)) fold.open = true;
    const head = document.querySelector("h1 .kb-masked");
    if (head) document.title = (titled = titled || document.title).replace(head.dataset.shown, head.textContent);
  }
  let known = String(finished());
  function again() {
    if (known === (known = String(finished()))) return;
    all("input[data-kb-finished]").forEach((box) => { box.checked = kbFinished(box.value); });
    reveal();
    dispatchEvent(new Event("kb-finished"));
  }
  function finish(campaign, done) {
    kbKept.set("finished", [...finished().filter((each) => each !== campaign), ...(done ? [campaign] : [])].sort());
    again();
  }
  const said = new Set();
  for (const fold of all("details.spoiler[data-campaign]")) {
    const campaign = fold.dataset.campaign, around = fold.closest(".kb-row-whole") || document;
    /* Opening the text of an entry reveals its title too. */
    fold.addEventListener("toggle", () => {
      const title = fold.open && around.querySelector("h1 .kb-masked, h2 .kb-masked");
      if (title && title.dataset.campaign === campaign) { title.dataset.opened = "yes"; reveal(); }
    });
    if (said.has(campaign) || fold.closest(".kb-facts")) continue;
    said.add(campaign);
    const box = make("input", { type: "checkbox", value: campaign, "data-kb-finished": true });
    fold.append(make("label.kb-finished", box, ` I have finished ${campaign}: show its titles and texts`));
  }
  all("input[data-kb-finished]").forEach((box) => {
    box.checked = kbFinished(box.value);
    box.addEventListener("change", () => finish(box.value, box.checked));
  });
  /* Updates the page after choices in another tab, or on a later page from which the user came back. */
  addEventListener("storage", again);
  addEventListener("pageshow", again);
  all(".kb-finished-list[hidden]").forEach((list) => { list.hidden = false; });
  reveal();

  /* Citations */
  for (const source of all("[data-cite]")) {
    const words = source.querySelector("[data-kb-cited]").innerText, button = source.querySelector(".kb-cite");
    function click({ target }) {
      const where = location.protocol.startsWith("http") ? `, ${location.href.replace(/[?#].*/, "")}` : "";
      const cited = `${document.querySelector("h1").innerText.replace("¶", "").trim()}. ${words} (${source.dataset.cite})${where}`;
      kbCopy(target, cited);
    }
    button.addEventListener("click", click);
  }

  /* Tables, folds, print */
  /* On a phone each row is a block. A plain value in it has the heading of its column (kb.css); colours and icons need none. */
  window.kbHeaded = (table, rows) => {
    if (table.matches(".kb-table--told")) return;
    const heads = [...table.tHead.rows[0].cells].map((head) => head.textContent.trim() || head.querySelector("[aria-label]").getAttribute("aria-label"));
    for (const row of rows) for (const cell of row.cells) if (cell.tagName === "TD" && !cell.children.length) cell.dataset.label = heads[cell.cellIndex];
  };
  for (const table of all(".kb-table:not([data-kb-table])")) kbHeaded(table, table.tBodies[0].rows);
  /* Content wider than the page can be scrolled with the keyboard. */
  for (const wide of all("pre > code, .md-typeset__scrollwrap")) if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0;
  /* Filters are folded if they would fill the screen. */
  for (const fold of all("details[data-kb-wide]")) { fold.open = matchMedia("(min-width: 45em)").matches || location.hash.startsWith("#?"); fold.classList.add("kb-ready"); }
  /* The filter of a long chapter hides the entries without the words typed, and groups without entries. */
  for (const field of all("[data-kb-filter]")) {
    const told = document.querySelector("[data-kb-found]");
    const lines = [...all(".kb-lines > li")].map((line) => [line, kbFold(line.textContent)]);
    function filter() {
      const words = kbFold(field.value).split(/\s+/).filter(Boolean);
      for (const [line, text] of lines) line.hidden = !words.every((word) => text.includes(word));
      for (const group of all(".kb-lines")) {
        group.hidden = !group.querySelector("li:not([hidden])");
        if (group.previousElementSibling?.tagName === "H2") group.previousElementSibling.hidden = group.hidden;
      }
      for (const letter of all(".kb-letters a")) letter.classList.toggle("kb-none", Boolean(document.getElementById(decodeURIComponent(letter.hash.slice(1)))?.hidden));
      told.textContent = words.length ? `${lines.filter(([line]) => !line.hidden).length} of ${lines.length}` : "";
    }
    field.addEventListener("input", filter);
    filter();  /* the browser keeps the words over Back and a reload */
  }
  all("[data-kb-print]").forEach((button) => button.addEventListener("click", () => print()));
  /* Prints a sheet as large as fits on one page: the area common to A4 and Letter, less one line to be safe. */
  const sheet = document.querySelector(".kb-content--sheet"), root = document.documentElement, look = document.body.classList;
  const colours = document.body.dataset;
  let dark = false;
  addEventListener("beforeprint", () => {
    dark = colours.mdColorScheme === "slate";
    if (dark) colours.mdColorScheme = "default";  /* pale ink cannot be read on paper */
    if (!sheet) return;
    const room = 240 * 96 / 25.4;
    let points = 18;
    look.add("kb-printing");
    do { points -= .25; root.style.fontSize = points + "pt"; } while (sheet.scrollHeight > room && points > 7.5);
    if (sheet.scrollHeight > room) root.style.fontSize = "";  /* it is longer than a page at any size, so print it like every other page */
  });
  addEventListener("afterprint", () => {
    if (dark) colours.mdColorScheme = "slate";
    look.remove("kb-printing");
    root.style.fontSize = "";
  });

  /* Editions */
  /* The reader's edition of the rules for each game, stored on this device under `rules`. Search, entries and decks use it unless they name another. */
  const read = (id) => JSON.parse(document.getElementById(id)?.textContent || "{}");
  const here = (document.querySelector("[data-kb-place]")?.dataset.kbPlace || "").split("/"), game = here[0], editions = read("kb-rules");
  const played = (of) => editions[of].find(([id]) => id === (kbKept.get("rules") || {})[of]) || editions[of][0];
  function play() {
    window.kbRules = Object.fromEntries(Object.keys(editions).map((of) => [of, played(of)[2]]));
    for (const link of all("[data-kb-follows]")) {
      const { kbFollows: of, kbBy: by } = link.dataset, to = editions[of] && JSON.parse(by)[played(of)[0]];
      if (to) link.setAttribute("href", to);
    }
    if (!editions[game]) return;
    const [id, title] = played(game);
    for (const select of all(".kb-rules select")) select.value = id;
    for (const rules of all("[data-kb-rules-by]")) rules.hidden = rules.dataset.kbRulesBy !== id;
    for (const line of all("[data-kb-edition]")) {
      line.hidden = line.dataset.kbEdition === title;
      for (const there of line.querySelectorAll("[data-kb-of]")) there.hidden = there.dataset.kbOf !== title;
    }
    /* Moves the chosen edition before the others in the menu. */
    const named = [...all(".md-nav__item [data-kb-plays]")].map((each) => [each.dataset.kbPlays, each.closest(".md-nav__item")]);
    const items = named.filter(([, item]) => item.parentElement.children.length > 1), first = items.find(([of]) => of === id)?.[1];
    if (first && items[0][1].parentElement === first.parentElement && items[0][1] !== first) items[0][1].before(first);
  }
  function choice() {
    const change = () => {
      kbKept.set("rules", { ...window.kbKept.get("rules"), [game]: select.value });
      play();
      kbAsk(window.kbWithin || "");
    };
    const select = make("select", { change }, ...editions[game].map(([id, title]) => new Option(title, id)));
    return make("label.kb-rules", "Edition ", select);
  }
  if (editions[game]) for (const room of all("[data-kb-rules]")) room.append(choice());
  addEventListener("storage", play);
  addEventListener("pageshow", play);
  play();

  /* The theme's search */
  const field = document.querySelector("[data-md-component=search-query]");
  if (field) {
    field.closest(".md-search").ariaLabel = "Search";  /* the theme's dialog has no name */
    document.querySelector("[data-kb-search]")?.addEventListener("click", () => field.focus());
    /* The scope of the search: the page's set and game, and everything. */
    const out = document.querySelector(".md-search-result"), more = make("button.kb-chip.kb-more", { hidden: true, click: () => { kbAsk(window.kbWithin || "", true); field.focus(); } }, "More results");
    addEventListener("kb-found", ({ detail }) => { more.hidden = !detail; });
    if (out) out.append(more);
    /* Going back from a result reopens the search, because the address contains the question. The theme first closes the search, which
       removes the question from the address, so this handler must run last. */
    const asked = () => history.replaceState({ within: window.kbWithin }, "", `?q=${encodeURIComponent(field.value)}`);
    field.addEventListener("input", () => {
      field.dispatchEvent(new Event("keyup"));  /* the event that the theme listens to; pasting and dictating send no other key event */
      if (new URLSearchParams(location.search).has("q")) asked();
    });
    addEventListener("click", ({ target }) => {
      const link = out?.contains(target) && target.closest("a");
      if (link && link.pathname !== location.pathname && /^http/.test(location.protocol)) asked();
    });
    const names = read("kb-places"), scopes = [...new Set([here.slice(0, 2).join("/"), game, ""])].filter((id) => id === "" || id in names);
    if (out && scopes.length > 1) {
      window.kbWithin = scopes.find((id) => id === history.state?.within) ?? scopes[0];
      const chips = scopes.map((id) => make("button.kb-chip", { "aria-pressed": String(id === kbWithin), click: ({ target }) => {
        for (const chip of chips) chip.ariaPressed = chip === target;
        kbAsk(id);
        field.focus();
      } }, id ? names[id] : "Everything"));
      const bar = make("div.kb-scopes", { role: "group", "aria-label": "Where to search" }, ...chips);
      if (editions[game]) bar.append(choice());
      out.before(bar);
      play();
    }
  }

  /* The first page links to the campaigns and decks stored in this browser. */
  const going = document.querySelector("[data-kb-continue]");
  if (going) {
    const stored = (key) => { try { return JSON.parse(localStorage.getItem(key)); } catch (error) { return null; } };
    const keys = () => { try { return Object.keys(localStorage); } catch (error) { return []; } };
    const campaigns = keys().filter((key) => key.startsWith("kb-campaign-")).map((key) => [key.slice(12), stored(key)]).filter(([, held]) => held?.files).sort((a, b) => b[1].when - a[1].when);
    const decks = Object.values(stored("kb-drafts") || {}).sort((a, b) => b.when - a.when), links = [];
    if (campaigns.length && going.dataset.kbContinue) {
      const [id, { title, games }] = campaigns[0];
      links.push(make("a", { href: `${going.dataset.kbContinue}#go=${id}` }, `${title}, ${games} ${games === 1 ? "game" : "games"}`));
    }
    if (decks.length && going.dataset.kbBuild) links.push(make("a", { href: `${going.dataset.kbBuild}#deck=${decks[0].share}` }, decks[0].title));
    if (links.length) going.append("Continue: ", ...links.flatMap((link, at) => (at ? [" · ", link] : [link])));
  }

  /* A link to the set-up of a scenario may contain the number of players: `#players-3`. */
  const players = /(?:^|#)players-([1-6])$/.exec(location.hash);
  const chosen = players && document.querySelector(`.kb-setups input[value="${players[1]}"]`);
  if (chosen) chosen.checked = true;

  /* From a server the site can be installed and saved; the scripts for it are loaded after the page. */
  const src = document.currentScript.src.replace(/kb\.js.*$/, "along.js");
  if (location.protocol.startsWith("http")) addEventListener("load", () => document.head.append(make("script", { src })));
})();
