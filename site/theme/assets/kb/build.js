/* The page "Build a deck": shows the form that Python draws. The state is the deck file, and for an upgrade also the previous deck and the
   experience earned. Python writes the file after each change. */
"use strict";
(function () {
  const page = kbCheckerPage(), { form, part, on } = page, COMMAND = "kb deck check", MOST_SHOWN = 12;
  const people = JSON.parse(document.getElementById("kb-people").textContent);
  const begin = part("begin"), built = part("built"), title = document.getElementById("kb-built"), add = part("add"), only = part("only");
  const earned = part("earned");
  let facts = {};  /* facts of cards by their codes: name, type, classes, level, cost */
  let wanted = page.chosen?.[2] ? { game: page.chosen[1], card: page.chosen[2] } : null;  /* the card to add to the next deck of its game */
  let deck = null, step = null, offers = [], before = [], draft = "", busy = 0, typingIn = null, typed = null, account = null;
  /* step: {old, earned}. typed: the value of a field that still has the focus. typingIn: that field.
     account: the purchases as they were last drawn. */
  const make = kbMake, { key: KEY, all: drafts, keep, listed } = kbDrafts;

  const titled = (known) => (known ? `${known[0]}${known[3] ? ` (${known[3]})` : ""}` : "the card");
  const copiesOf = (key) => deck.lines.find((each) => each.key === key)?.copies || 0;
  const size = () => deck.lines.reduce((sum, { copies }) => sum + copies, 0);
  /* Drafts: each deck built here has its own draft, so that two tabs do not overwrite each other's deck */
  function remember() {
    draft ||= Math.random().toString(36).slice(2);
    const title = `${deck.name ? `“${deck.name}”: ` : ""}${step ? "upgrade of " : ""}${deck.character}, ${size()} cards${deck.legal || !size() ? "" : ", not legal yet"}`;
    if (!keep({ ...drafts(), [draft]: { text: deck.text, step, share: deck.share, title, typed, game: deck.game, who: deck.character, when: Date.now() } })) page.say("This browser cannot save drafts. Save the deck file before you leave.");
  }
  async function goOn(id) {
    const { text, step: goes, typed: left } = drafts()[id], known = { text, name: "deck.yaml", ...goes };
    for (const more of left ? [left, {}] : [{}]) {  /* first with the unfinished input; without it if that fails */
      draft = id;
      await ask({ ...known, ...more }, true);
      if (deck) return;
    }
  }
  /* Unfinished input is saved too, in case the user leaves the page. */
  function typing(field, said) { typingIn = field; typed = said; remember(); }
  /* If another tab continues this draft, that tab keeps it. Further changes in this tab go to a new draft. */
  addEventListener("storage", ({ key }) => { if (key === KEY && deck && draft && (drafts()[draft] || {}).text !== deck.text) draft = ""; });
  function listDrafts() {
    const list = part("drafts"), all = listed();
    list.hidden = !all.length;
    const rows = all.map(([id, draft]) => {
      const open = kbPlain(`Continue: ${kbDrafts.named(draft)}`, () => goOn(id));
      const forget = () => { const { [id]: _gone, ...rest } = drafts(); keep(rest); listDrafts(); (list.querySelector("button") || part("game")).focus(); };
      return make("li", open, kbPlain("Delete", (event) => kbSure(event, "Delete it?", forget), { "aria-label": `Delete the draft ${kbDrafts.named(draft)}` }));
    });
    list.replaceChildren(...rows);
  }

  /* Asking: one question at a time. If a question fails, the form stays as it was. */
  /* `first`: the deck is not the one shown before. `focus`: the id or data-key of the element to focus, unless the user has moved on. */
  function ask(question, first, focus) {
    const wrong = (problem) => { part("wrong").textContent = problem; }, earns = "earned" in question && !question.do && !first;
    const from = document.activeElement;
    busy += 1;
    form.setAttribute("aria-busy", "true");
    if (first) makeRoom(question);
    return page.inTurn(async () => {
      const { back, left, same, ...asked } = question, given = first || back ? asked : { text: deck.text, name: "deck.yaml", ...step, ...asked };
      const answer = await page.answer({ do: "form", agreed: agreed(), ...given }, COMMAND, (problem, found) => (earns ? wrong(problem) : page.complain(problem, ...kbMends(found, (text) => { if (entered.value === given.text) enter(text); ask({ ...question, text }, first); }))));
      busy -= 1;
      if (!answer) { if (first) draft = ""; else draw(); return; }
      wrong("");
      if (first) { before = []; account = null; } else if (!back && !same) before.push({ text: deck.text, ...step });
      deck = answer;
      if (typed === left) typed = null;
      step = answer.step ? { old: answer.old || given.old, earned: given.earned } : null;
      facts = await kbShared.facts(deck.game);
      offers = (await page.answer({ do: "offers", text: deck.text, name: "deck.yaml", ...step, agreed: agreed() }, COMMAND))?.offers || [];
      offers.sort((a, b) => b.sure - a.sure);  /* cards that may not be allowed come last */
      remember();
      const stay = kbSteady(from);
      page.arrived();
      draw();
      stay();
      lead(from, focus);
      if (first) { add.value = ""; part("fields").closest("details").open = deck.fields.some(({ group }) => group); title.focus({ preventScroll: true }); built.scrollIntoView({ block: "start" }); addWanted(); }
    }).finally(() => { page.arrived(); if (!deck) atBeginning(true); if (!busy) form.removeAttribute("aria-busy"); });  /* the answer is drawn by now */
  }
  function atBeginning(here) { begin.hidden = !here; built.hidden = here; }
  /* Shows the place for the deck before the checker answers, so that nothing moves when the deck arrives. */
  function makeRoom({ begin: person, text }) {
    if (deck || begin.hidden) return;
    title.textContent = (person && part("person").selectedOptions[0]?.text) || Object.values(drafts()).find((each) => each.text === text)?.who || "Opening the deck";
    page.makeRoom();
    atBeginning(false);
    built.scrollIntoView({ block: "start" });
  }
  const change = (changes, focus, left) => ask({ changes, left }, false, focus);

  /* Drawing: kbMorph keeps existing elements, so that focus and scroll position stay */
  const finding = (each, key) => kbFinding({ ...each, message: key ? each.brief : each.message }, ...each.mends.filter(({ changes: [{ card }] }) => !key || card === key || !each.lines.includes(card)).map(({ words, changes }) => kbPlain(words, () => change(changes, `-${changes[0].card}`))));
  const list = (fits, key) => { const found = deck.findings.filter(fits).map((each) => finding(each, key)); return found.length ? [make("ul.kb-build__findings", ...found)] : []; };
  const fieldsOf = (fields, attributes) => make("div.kb-build__fields", { role: "group", ...attributes }, ...fields.map(field));
  function line({ key, name, copies, sheet, folded, shown }) {
    const its = (each) => each.lines.includes(key), bad = deck.findings.some((each) => its(each) && each.severity === "error"), lost = step && deck.step.lost[key];
    const button = (sign, label, number) => make("button", { "aria-label": label, "data-key": sign + key, click: () => change([{ card: key, copies: number }], sign + key) }, sign === "-" ? "−" : "+");
    return make(`li.kb-build__line${bad ? ".kb-build__line--bad" : ""}`, { "data-key": `=${key}`, style: owned(key) },
      make("span", make("span.kb-build__name", name), ...told(key)), ...kbAbout(name, shown), button("-", `Remove one ${name}`, copies - 1), make("span.kb-build__copies", make("span.kb-hidden", "copies: "), String(copies)), button("+", `One more ${name}`, copies + 1),
      ...(sheet.length ? [make("details.kb-build__sheet", make("summary", { "data-key": `?${key}` }, folded), fieldsOf(sheet, { "aria-label": `${name}: ${folded}` }))] : []),
      ...(lost ? [kbPlain("Exiled in play", () => change(lost, `-${key}`), { "aria-label": `One ${name} was exiled in play` })] : []), ...list(its, key));
  }
  /* Draws the cards in a section apart from the deck, such as a side deck, folded. */
  function apart(group, lines) {
    const row = ({ key, name, copies, shown }) => {
      const to = (sign, label, number) => make("button", { "aria-label": label, "data-key": sign + key, click: () => change([{ key, value: number || "" }], sign + key) }, sign === "-" ? "−" : "+");
      return make("li.kb-build__line", { "data-key": `=${key}`, style: owned(key.split(".")[1]) }, make("span", make("span.kb-build__name", name)), ...kbAbout(name, shown),
        to("-", `Remove one ${name} from the ${group}`, copies - 1), make("span.kb-build__copies", make("span.kb-hidden", "copies: "), String(copies)), to("+", `One more ${name} in the ${group}`, copies + 1));
    };
    const held = lines.reduce((sum, { copies }) => sum + copies, 0);
    return make("details.kb-build__apart", { "data-key": group }, make("summary", `${group[0].toUpperCase()}${group.slice(1)}: ${held} ${held === 1 ? "card" : "cards"}`), make("ul.kb-held", ...lines.map(row)));
  }
  const owned = (key) => (facts[key]?.[2] ? `--kb-own: var(--kb-${facts[key][2].split(" ")[0]})` : false);
  /* A card's cost. */
  const told = (key) => { const [, , , , cost] = facts[key] || []; return [...(typeof cost === "number" && cost >= 0 ? [make("span.kb-build__facts", ` cost ${cost}`)] : [])]; };
  const bought = ({ text, links, changes }, at) => make("li.kb-build__finding", text, ...kbRule(links), ...(changes.length ? [" ", kbPlain("Undo", () => change(changes, `<${at}`), { "data-key": `<${at}`, "aria-label": `Undo: ${text}` })] : []));
  /* Draws consecutive groups with the same fields as one table: a row for each group, its problems below it. */
  function sheet(groups) {
    const labels = (fields) => fields.map(({ label }) => label).join("|"), made = [];
    for (let at = 0; at < groups.length;) {
      let to = at + 1;
      while (to < groups.length && groups[at].fields.length > 1 && labels(groups[to].fields) === labels(groups[at].fields)) to += 1;
      const run = groups.slice(at, to);
      if (run.length < 3) made.push(...run.flatMap(({ group, fields }) => (group ? [make("fieldset.kb-build__fields", make("legend", [group, fields[0].more].filter(Boolean).join(", ")), ...fields.map(field))] : fields.map(field))));
      else {
        const cell = (group, asked) => { const input = inputOf(asked); input.ariaLabel = `${group}: ${asked.label}`; return make("td", { "data-key": `#${asked.key}` }, input); };
        const row = ({ group, fields }) => { const [{ more }] = fields; return make("tr", { "data-key": group }, make("th", { scope: "row" }, group, ...(more ? [make("small", more)] : [])), ...fields.map((asked) => cell(group, asked))); };
        const keys = run.flatMap(({ fields }) => fields.map(({ key }) => key));
        made.push(make("table.kb-sheet-grid", { "data-key": `table ${keys[0]}` }, make("thead", make("tr", make("td"), ...run[0].fields.map(({ label }) => make("th", { scope: "col" }, label)))), make("tbody", ...run.map(row))), ...list((each) => keys.includes(each.field)));
      }
      at = to;
    }
    return made;
  }
  function inputOf({ key, kind, value, choices, most }) {
    const id = `kb-field-${key.replace(/\W/g, "-")}`, said = (value) => ({ changes: [{ key, value }] });
    const told = { id, input: ({ target }) => typing(target, said(target.value)), change: ({ target }) => { typingIn = null; change(said(target.value).changes, id, typed); } };
    return kind === "choice" ? make("select", told, ...choices.map(([each, name]) => make("option", { value: each, selected: each === value }, name)))
      : kind === "flag" ? make("input", { id, type: "checkbox", checked: value !== "", change: ({ target }) => change(said(target.checked ? "yes" : "").changes, id) })
      : kind === "text" ? make("input", { ...told, type: "text", value })
        : make("input", { ...told, type: "number", inputmode: "numeric", min: "0", max: String(most), value, click: ({ target }) => target.select() });  /* typing replaces the number */
  }
  const field = (asked) => make("div", { "data-key": `#${asked.key}` }, make("label", make("span", asked.label), inputOf(asked)), ...list((each) => each.field === asked.key));
  /* Draws the deck's verdict, and the changes in the purchases. */
  function standing() {
    const errors = deck.findings.filter(({ severity }) => severity === "error").length;
    const click = () => { const first = form.querySelector(".kb-build__finding--error, .kb-build__finding"); if (first) { first.tabIndex = -1; first.focus(); } };
    const verdict = make(`button.kb-build__${deck.legal ? "good" : "bad"}`, { click }, deck.legal ? "Legal" : size() ? `Not legal: ${errors} ${errors === 1 ? "rule" : "rules"}` : "No cards yet");
    const counts = step ? [`${deck.step.cost} of ${deck.step.available} experience spent, ${deck.step.unspent} left`, `${size()} cards`] : deck.counts.filter(([, held, wanted]) => held !== "0" || wanted > 0).map(([kind, held, wanted]) => `${kind} ${held}${wanted ? ` of ${wanted}` : ""}`);
    const lines = step && deck.step.bought.map(({ text }) => text), news = account && lines ? lines.filter((text) => !account.includes(text)).join(" ") : "";
    account = lines;
    return make("p", verdict, ["", ...counts].join(" · "), ...(news ? [make("small", news)] : []));
  }
  function draw() {
    const grouped = (listed, draw) => [...new Set(listed.map(({ group }) => group))].map((group) => draw(group, listed.filter((each) => each.group === group)));
    const put = (name, ...made) => kbMorph(part(name), make("div", ...made), typingIn);
    atBeginning(false);
    title.textContent = `${deck.name ? `${deck.name}: ` : ""}${deck.character}${step ? ", upgrade" : ""}`;
    kbMorph(part("said"), standing());
    put("bought", ...(step ? deck.step.bought.map(bought) : []));
    put("steps", ...deck.steps.map((each) => make("li", each)));
    if (!busy) put("fields", ...sheet(grouped(deck.fields, (group, fields) => ({ group, fields }))));
    put("lines", ...grouped(deck.lines, (group, lines) => make("section", { "data-key": group }, make("h3", group), make("ul.kb-held", ...lines.map(line)), ...list((each) => !each.lines.length && !each.field && each.group === group))), ...grouped(deck.aside, apart));
    put("findings", ...deck.findings.filter(({ lines, group, field: at }) => !lines.length && !group && !at).map((each) => finding(each)));
    put("to", ...deck.formats.map((each) => make("option", each)));
    part("step").hidden = !step;
    for (const each of form.querySelectorAll("[data-kb-when]")) each.hidden = (each.dataset.kbWhen === "step") !== Boolean(step) || (each === part("upgrade") && !deck.upgrades);
    if (step && document.activeElement !== earned) earned.value = step.earned;
    part("none").hidden = Boolean(deck.step?.bought.length);
    part("steps").parentElement.hidden = Boolean(step) || !deck.steps.length;
    for (const fold of form.querySelectorAll("[data-kb-agreed]")) fold.hidden = fold.dataset.kbAgreed !== deck.game;
    part("whole-deck").hidden = !part("findings").children.length;
    part("to").hidden = deck.formats.length < 2;
    const types = [...new Set(offers.map(({ group }) => group))], chosen = only.value;
    only.replaceChildren(new Option("all types", ""), ...types.map((each) => new Option(each, each, false, each === chosen)));
    part("whole").href = `${form.dataset.checker}#deck=${deck.share}&now`;
    part("undo").disabled = !before.length;
    for (const paper of form.querySelectorAll("[data-kb-paper]")) paper.hidden = paper.dataset.kbPaper !== deck.game;
    part("back").hidden = Boolean(step) || !coming();
    history.replaceState(null, "", `#deck=${deck.share}`);
    offer();
    buyable();
  }
  /* Moves the focus to `focus` if that was requested, or if the pressed element is gone, unless the user has moved on. */
  function lead(from, focus) {
    const here = document.activeElement, named = focus && (document.getElementById(focus) || form.querySelector(`[data-key="${CSS.escape(focus)}"]`));
    if (here !== from && here !== document.body) return;
    const to = named || (focus && part("undo"));  /* the line is gone; focusing the search field would open a phone's keyboard */
    to?.focus({ preventScroll: true });
    if (to === add) add.select();  /* typing replaces the name */
  }
  const LEVEL = /\b(?:level|lvl|lv)\s*([<>]=?|[:=])?\s*(\d)\b|\b(\d)\s*(?:xp|exp)\b|\((\d)\)/i, FIELD = /\b(?:name|type|trait|class|faction|slot):/gi;
  const compared = { "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b };
  /* Returns the words in the search field, and a test for the level in it. The names of fields that the tables of cards know (`type:`) may be there. */
  function sought() {
    const said = add.value.trim(), asked = LEVEL.exec(said), level = asked && Number(asked[2] ?? asked[3] ?? asked[4]), fits = compared[asked?.[1]] || ((a, b) => a === b);
    return { said, words: plain(said.replace(LEVEL, " ").replace(FIELD, " ").trim()).split(/\s+/).filter(Boolean), isOfLevel: ({ key }) => level === null || !facts[key] || fits(facts[key][3], level) };
  }
  const offer = kbOffering(add, part("offers"), MOST_SHOWN, () => {
    const { said, words, isOfLevel } = sought(), there = offers.filter(({ group, full }) => !full && (!only.value || group === only.value));
    let known = there.filter((each) => !each.free && isOfLevel(each));
    if (step) known = known.toSorted((a, b) => buying(a) - buying(b));
    return [said || only.value ? fitting(known, words).toSorted((a, b) => ranked(a, words) - ranked(b, words)) : [],
      said ? there.filter(({ free }) => free).map((each) => ({ ...each, key: each.key + said, name: said })) : []];
  }, (each) => offered(each), lacking, (shown) => { if (step && shown.length) askPrices(shown.map(({ key }) => key)); });
  const fitting = (those, words) => kbFitting(those, words, ({ name }) => name, ({ name, detail, words: more }) => `${name} ${detail} ${more}`);
  /* Upgrades of cards in the deck come first, further copies of them last. */
  const level = (key) => facts[key]?.[3] || 0, upgrades = ({ key }) => Boolean(step && deck.lines.some(({ key: held }) => facts[held] && facts[held][0] === facts[key]?.[0] && level(held) < level(key)));
  const buying = (each) => (upgrades(each) ? 0 : copiesOf(each.key) ? 2 : 1);
  /* Among the cards that match the words, those with this title come first, and those that are only perhaps allowed come last. */
  const ranked = (each, words) => (upgrades(each) ? 0 : plain(facts[each.key]?.[0] || each.name) === words.join(" ") ? 1 : each.sure ? 2 : 3);
  /* Returns the reason why no card is offered. */
  function lacking() {
    const { words, isOfLevel } = sought(), [held] = fitting(offers.filter((each) => each.full && isOfLevel(each)), words);
    if (held) return `The deck has the maximum number of cards with the title ${facts[held.key]?.[0] || held.name}.`;
    const named = (name) => words.length && plain(name).includes(words.join(" ")), known = Object.values(facts).find(([name]) => named(name));
    return known && !offers.some(({ name }) => named(name)) ? `${deck.character} cannot take ${known[0]}.` : "No card fits these words. Write a name, a trait, a type or a level.";
  }
  function offered({ key, name, detail }) {
    const price = step && prices.get(key), held = copiesOf(key);
    const words = price ? `${price.instead ? "Upgrade to" : "Buy"} ${name}: ${price.cost} experience` : `${step ? "Buy" : "Add"} ${name}`;
    const leaves = price?.instead ? [{ card: price.instead, copies: copiesOf(price.instead) - 1 }] : [];
    const click = () => change([...leaves, { card: key, copies: held + 1 }], document.activeElement === add ? "kb-add" : `*${key}`);
    return make("button.kb-build__line", { "data-key": `*${key}`, style: owned(key), click }, make("span", words), make("small", ` ${detail}${typeof facts[key]?.[4] === "number" && facts[key][4] >= 0 ? `, cost ${facts[key][4]}` : ""}${held ? `, ${held} in the deck` : ""}`));
  }
  /* Draws all cards that the experience can buy, by price. A few are priced at a time. */
  async function buyable() {
    const room = part("buy"), have = deck?.step?.unspent || 0;
    room.querySelector("summary").textContent = `${have} XP: what can I buy?`;
    if (!step || !room.open) return;
    const mine = JSON.stringify([deck.text, step]), held = new Map();
    for (const { key } of deck.lines) held.set(facts[key]?.[0], Math.max(level(key), held.get(facts[key]?.[0]) || 0));
    const keys = offers.filter(({ key, free, sure, full }) => !free && sure && !full && level(key) > 0 && level(key) - (held.get(facts[key][0]) || 0) <= have).map(({ key }) => key);
    for (let at = 0; at < keys.length || !at; at += 40) {
      await askPrices(keys.slice(at, at + 40));
      if (!step || JSON.stringify([deck.text, step]) !== mine || !room.open) return;
      const priced = offers.filter(({ key }) => keys.includes(key) && prices.has(key) && prices.get(key).cost <= have), costs = [...new Set(priced.map(({ key }) => prices.get(key).cost))].sort((a, b) => a - b);
      kbMorph(room.lastElementChild, make("div", ...costs.flatMap((cost) => [make("h4", `${cost} experience`), make("ul.kb-offers", ...priced.filter(({ key }) => prices.get(key).cost === cost).toSorted((a, b) => buying(a) - buying(b)).map((each) => make("li", offered(each), ...kbAbout(each.name, each.shown))))]),
        ...(at + 40 < keys.length ? [make("p.kb-small", "Pricing …")] : priced.length ? [] : [make("p.kb-small", "kb found no card that you can buy.")])));
    }
  }
  on("buy", buyable, "toggle");
  /* Requests the missing prices of the shown cards. Prices are valid only for the current deck. */
  let prices = new Map(), pricedFor = "";
  async function askPrices(keys) {
    const now = JSON.stringify([deck.text, step]);
    if (pricedFor !== now) { pricedFor = now; prices = new Map(); }
    if (!keys.length || keys.every((key) => prices.has(key))) return;
    const answer = await page.ask({ do: "prices", text: deck.text, name: "deck.yaml", ...step, agreed: agreed(), keys }).catch(() => ({}));
    if (!answer.prices || pricedFor !== now || !step) return;
    for (const key of keys) prices.set(key, answer.prices[key]);
    offer();
  }
  on("only", offer, "change");
  /* When the user returns to the field, typing replaces the name. */
  let left = true;
  /* On a phone the keyboard covers the lower half, so scroll the field and its offers up, below the verdict. */
  on("add", () => {
    const box = add.parentElement, said = part("said").getBoundingClientRect().height;
    if (!matchMedia("(max-width: 44.99em)").matches) return;
    box.style.scrollMarginTop = `calc(2.6rem + ${said}px)`;
    box.scrollIntoView({ block: "start" });
  }, "focus");
  on("add", () => { left = true; }, "blur");
  on("add", () => { if (left) add.select(); left = false; });

  const agreed = page.agreed(() => { if (deck) ask({ same: true }); });

  /* Beginning */
  function choose() {
    const groups = new Map();
    for (const [name, set, label, group, url] of people[part("game").value]) {
      if (!groups.has(group)) groups.set(group, make("optgroup", { label: group }));
      groups.get(group).append(make("option", { value: JSON.stringify([name, set]), "data-url": url }, label));
    }
    part("person").replaceChildren(...groups.values());
    const { suggested } = part("game").selectedOptions[0].dataset;
    part("start").textContent = suggested === undefined ? "Begin" : "Begin with the suggested deck";
    part("empty").hidden = suggested === undefined;
    about();
  }
  function about() {
    const { text, dataset } = part("person").selectedOptions[0] || { dataset: {} }, link = part("about");
    link.hidden = !dataset.url;
    link.textContent = `About ${text}`;
    link.href = `${kbBase}/${dataset.url}`;
  }
  on("game", choose, "change");
  on("person", about, "change");
  addEventListener("pageshow", choose);  /* after the browser has restored the chosen game */
  const chosen = () => ({ game: part("game").value, who: JSON.parse(part("person").value) });
  const start = (empty) => { draft = ""; return ask({ game: part("game").value, begin: JSON.parse(part("person").value), empty }, true); };
  on("start", () => start(false));
  on("empty", () => start(true));
  const entered = document.getElementById("kb-pasted");
  on("paste", () => {
    const text = entered.value;
    if (!text.trim()) return page.complain("There is no deck yet. Paste one or open a file.");
    draft = "";
    return ask({ text, name: "deck", ...chosen() }, true);
  });
  const enter = (text) => { entered.value = text; keepEntered(); };
  const keepEntered = page.drafts("pasted", () => entered.value, (text) => { entered.value = text; entered.closest("details").open = Boolean(text); });
  page.files(([{ name, text }]) => { draft = ""; ask({ text, name, ...chosen() }, true); });
  const open = async (share, button) => {
    const opened = await page.answer({ do: "open", share }, COMMAND);
    if (!opened) return undefined;
    button.remove();
    draft = "";
    return ask({ text: opened.text, name: "deck" }, true);
  };
  const leave = page.linked("deck", "This link contains a deck. Open it to edit a copy.", (share) => {
    atBeginning(true);
    begin.prepend(make("button.kb-button.kb-check__go", { click: ({ target }) => open(share, target) }, "Open the shared deck"));
  }, (share) => [deck, ...Object.values(drafts())].some((each) => each?.share === share), ({ text, share }) => [
    make("button.kb-button", { click: () => { history.pushState(history.state, "", location.href); leave(); draft = ""; ask({ text, name: "deck" }, true); } }, "Edit a copy"),
    make("a.kb-check__plain", { href: `${form.dataset.checker}#deck=${share}&now` }, "Check it"),
  ]);
  listDrafts();
  part("whole-deck").prepend(make("h3", "Whole deck"));
  /* After a reload or Back, or from a link to the deck that was built here */
  function goOnHere() {
    const shared = /^#deck=([\w-]+)/.exec(location.hash)?.[1], [mine] = Object.entries(drafts()).find(([, { share }]) => share === shared) || [];
    if (mine && deck?.share !== shared) goOn(mine);
  }
  goOnHere();
  /* A card's page links here: add the card to the deck that was built last, or else to the next one. Until then the address keeps it for a reload. */
  if (wanted) {
    const { game, card } = wanted, [newest] = listed().find(([, each]) => each.game === game) || [];
    history.replaceState(history.state, "", `#?game=${game}&add=${card}`);
    if (newest) goOn(newest);
    else kbShared.facts(game).then((known) => { if (!deck) page.say(`Begin or open a deck. kb then adds ${titled(known[card])} to it.`); });
  }
  function addWanted() {
    if (deck?.game !== wanted?.game || !offers.length) return;
    const { card } = wanted, held = copiesOf(card), offer = offers.find(({ key }) => key === card), name = titled(facts[card]);
    const told = () => page.say(copiesOf(card) > held ? `kb added ${name} to the deck.` : `kb could not add ${name}.`);
    wanted = null;
    if (offer && !offer.full) change([{ card, copies: held + 1 }], `+${card}`).then(told);
    else page.say(`kb did not add ${name}: ${offer ? "the deck has the maximum number of cards with this title" : `${deck.character} cannot take it`}.`);
  }
  addEventListener("hashchange", goOnHere);

  /* The upgrade to the next deck */
  on("upgrade", () => {
    draft = "";  /* the previous deck keeps its draft */
    ask({ do: "upgrade", earned: 0 }, false, "kb-earned").then(() => built.scrollIntoView({ block: "start" }));
  });
  const earning = () => ({ earned: earned.value && Number(earned.value) });
  on("earned", ({ target }) => target.select());
  on("earned", () => typing(null, earning()), "input");
  on("earned", () => ask({ ...earning(), left: typed }, false, "kb-earned"), "change");
  /* A number is used shortly after its last digit is typed; leaving the field then changes nothing. */
  let wait = 0, counted = null;
  form.addEventListener("input", ({ target }) => {
    clearTimeout(wait);
    counted = null;
    if (target.type === "number" && target.value) wait = setTimeout(() => { target.dispatchEvent(new Event("change", { bubbles: true })); counted = target; }, 400);
  });
  form.addEventListener("change", (event) => { clearTimeout(wait); if (event.isTrusted && event.target === counted) event.stopPropagation(); }, true);
  on("record", () => ask({ do: "record" }, false, "kb-built").then(() => { if (step) return; part("steps").parentElement.open = true; built.scrollIntoView({ block: "start" }); }));

  /* Output */
  on("undo", () => { const state = before.pop(); if (state) ask({ ...state, back: true }); });
  const coming = () => { const to = kbComing.get(); return to && deck.character.split(" ")[0] === to.of.split(" ")[0] && to; };
  on("back", () => {
    const to = coming();
    if (kbStore.set(to.typed, { ...kbStore.get(to.typed), [to.key]: deck.text })) location.href = to.url;
    else page.complain("This browser's storage is full. Save the deck file and open it in the campaign.");
  });
  on("save", async () => {
    const found = await page.answer({ do: "write", text: deck.text, name: "deck.yaml", to: part("to").value }, COMMAND);
    if (!found) return undefined;
    return page.save(await kbShared.named(deck.game, found.text), deck.name || deck.character, found.suffix.slice(1));
  });
  on("over", () => {
    deck = null;
    draft = "";
    history.replaceState(null, "", location.pathname + location.search);
    atBeginning(true);
    listDrafts();
    part("game").focus();
  });
})();
