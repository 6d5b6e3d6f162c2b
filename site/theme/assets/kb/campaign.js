/* The page "Record a campaign": `kb campaign record` as a form. The browser stores the folder of files. A zip imports and exports it. */
"use strict";
(function () {
  const page = kbCheckerPage(), { form, part, on, inTurn } = page, make = kbMake;
  const named = JSON.parse(form.dataset.games), views = form.querySelectorAll("[data-kb-view]"), KEY = "kb-campaign-", TYPED = "kb-typed-", LAST = "kb-last-", NEW = "new";
  let id = "", held = null, game = part("game").value, asked = 0, at = "list", seen = "";

  /* Stored in this browser: each campaign with its files, and the unfinished answers for its next game */
  const read = kbStore.get;
  const write = (key, value) => { if (!kbStore.set(key, value)) page.complain("This browser's storage is full. Download a backup before you leave this page."); };
  const drop = (key) => { try { localStorage.removeItem(key); } catch { /* then nothing was stored */ } };
  const all = () => { try { return Object.keys(localStorage).filter((key) => key.startsWith(KEY)).map((key) => [key.slice(KEY.length), read(key)]).filter(([, found]) => found?.files).sort((a, b) => b[1].when - a[1].when); } catch { return []; } };
  const draft = () => TYPED + (at === "begin" ? `${NEW}-${id || game}` : id);
  const stamp = () => Math.random().toString(36).slice(2);
  /* If another tab has changed the same campaign, nothing is overwritten. */
  function keep({ files, shown }) {
    if (!id) id = stamp();
    held = { files, game: shown.game, title: shown.title, games: shown.games, last: shown.last, dice: shown.dice, when: Date.now(), stamp: stamp() };
    write(KEY + id, held);
    drop(`${TYPED}${NEW}-${id}`);
  }
  function changedElsewhere() {
    const there = id && read(KEY + id);
    return held && there && there.stamp !== held.stamp && there;
  }
  addEventListener("storage", (event) => { if (event.key === KEY + id && at === "campaign" && changedElsewhere()) go(id); if (at === "list") list(); });

  /* Asking */
  const answered = (what, more) => page.answer({ do: "campaign", what, ...more }, "kb campaign");

  /* Views. The browser's Back returns to the previous view. */
  function view(name, fresh = true) {
    at = name;
    kbComing.set(null);
    reveal(name);
    page.arrived();
    part("verdict").hidden = name !== "campaign";
    part("replace").hidden = true;
    if (fresh && (history.state || {}).kb !== name) history.pushState({ kb: name, id, game }, "");
    if (name === "list") list();
  }
  function reveal(name) { for (const each of views) each.hidden = each.dataset.kbView !== name; }
  function makeRoom(name) { if (at === "list") { page.makeRoom(); reveal(name); } }
  const leave = () => { id = ""; held = null; };
  const firstOf = () => (part("kept").querySelector("button") || part("game")).focus();
  function list() {
    const there = all();
    part("kept").hidden = !there.length;
    part("further").textContent = there.length ? "Another campaign" : "A campaign";
    part("kept").replaceChildren(...there.map(([key, { title, games, last, when, game: of }]) => {
      const open = make("button.kb-campaign__open", { click: () => go(key) }, make("strong", title), make("small", `${named[of] || of} · ${games} game${games === 1 ? "" : "s"}${last ? `, last ${last}` : ""} · ${kbWhen(when)}`));
      const click = (event) => kbSure(event, "Delete it?", () => { for (const each of [KEY, TYPED, LAST, `${TYPED}${NEW}-`]) drop(each + key); list(); firstOf(); });
      const forget = kbPlain("Delete", click, { "aria-label": `Delete ${kbDrafts.named({ title, when })}` });
      return make("li", open, forget);
    }));
  }
  function draw(told) {
    const { title, games, dice } = told.shown;
    held = { ...held, title, games, dice };
    if (id) write(KEY + id, held);  /* a bane's page reads the dice from here (odds.js) */
    page.show(told.shown, told.shown.title, "", true);
    document.getElementById("kb-verdict").focus({ preventScroll: true });
    part("record").scrollIntoView({ block: "center" });  /* so that the next step, above the button, stays visible */
    part("undo").hidden = !told.shown.games;
    kbCalm(part("undo"), "Undo last game");
  }
  const go = (key, fresh = true) => inTurn(async () => {
    const there = read(KEY + key);
    if (!there) return view("list");
    makeRoom("campaign");
    const told = await answered("show", { folder: there.files });
    if (!told) { if (at === "list") view("list", false); return null; }
    id = key;
    held = there;
    view("campaign", fresh);
    return draw(told);
  });

  /* Beginning and recording */
  const begun = kbQuestions(part("begin-questions"), () => { part("replace").hidden = true; page.outdated(); typed(begun, "begin"); }, () => game, () => ({ typed: draft(), url: `${location.pathname}#begin=${id}` }));
  const recorded = kbQuestions(part("record-questions"), () => { part("preview").hidden = true; typed(recorded, "record"); }, () => held.game, () => ({ typed: draft(), url: `${location.pathname}#record=${id}` }));
  function typed(questions, what) {
    write(draft(), questions.answers());
    const mine = ++asked;
    inTurn(async () => { if (mine === asked) await questioned(questions, what, {}); });
  }
  async function questioned(questions, what, more, anew) {
    const told = await answered(what, { folder: held ? held.files : {}, game, answers: questions.answers(), ...more });
    if (told && more.refuse) { questions.take({ ...questions.answers(), refuses: told.refuses }); write(draft(), questions.answers()); }
    if (told && anew && told.answers) { questions.take(told.answers); write(draft(), told.answers); }
    if (told && told.questions) questions.draw(told, anew);
    return told;
  }
  /* Returns the answers with the full names of the players, as the campaign contains them. */
  function inFull({ answers, names = {} }) {
    const put = (text) => Object.entries(names).reduce((said, [name, full]) => (said.includes(full) ? said : said.replace(new RegExp(`(?<![\\p{L}])${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\p{L}])`, "gu"), full)), text);
    return Object.fromEntries(Object.entries(answers).map(([key, text]) => [put(key), text.includes(":") ? text : put(text)]));
  }
  /* Opens a form with its unfinished answers: its questions, and a heading for screen readers. */
  async function opened(questions, what, fresh, words) {
    const before = at, evening = kbEvening.get(), title = document.getElementById(`kb-${what}`);
    title.textContent = words();
    makeRoom(what);
    at = what;
    questions.take({ ...(evening?.game === game ? inFull(evening) : {}), ...read(draft()) });
    let told = await questioned(questions, what, {}, true);
    if (!told) { at = before; if (at === "list") view("list", false); return; }
    if (what === "begin" && !held && evening?.game === game) {  /* the players of the last session play, with the decks that they had */
      const who = told.questions.find(({ needed, many }) => needed && many);
      const full = (name) => told.labels[name] || name;
      if (who) kbEvening.set({ ...evening, names: Object.fromEntries(evening.people.split("\n").map((name) => [name, full(name)])) });
      if (who) { questions.take({ ...questions.answers(), [who.key]: evening.people.split("\n").map(full).join("\n") }); told = await questioned(questions, what, {}, true) || told; }
      questions.take({ ...questions.answers(), ...Object.fromEntries(told.questions.filter(({ kind, of }) => kind === "deck" && evening.decks[of]).map(({ key, of }) => [key, evening.decks[of]])) });
      await questioned(questions, what, {}, true);
      write(draft(), questions.answers());
    }
    view(what, fresh);
    title.focus({ preventScroll: true });
    scrollTo(0, 0);
  }
  function beginning(words, title, fresh) {
    seen = "";
    part("begin-it").textContent = words;
    return opened(begun, "begin", fresh, () => title);
  }
  const start = (fresh = true) => inTurn(() => { leave(); return beginning("Begin the campaign", "A new campaign", fresh); });
  const change = (fresh = true) => inTurn(() => { game = held.game; return beginning("Replace the setup", `${held.title}: setup`, fresh); });
  const record = (fresh = true) => inTurn(() => { part("preview").hidden = true; return opened(recorded, "record", fresh, () => `${held.title}: game ${held.games + 1}`); });
  async function written(questions, what) {
    if (!questions.settled()) return null;
    if (held) {
      const there = changedElsewhere();
      if (there) { held = there; await questioned(questions, what, {}, true); return page.complain("This campaign was changed in another tab. Your answers are still here. Check them again."); }
    }
    const told = await questioned(questions, what, { write: true });
    if (!told) return null;
    if (!told.files) { page.complain((told.problems || [kbLacking(told)]).join("\n")); return questions.first(); }
    if (what === "begin" && held?.games && seen !== told.shown.page) {
      seen = told.shown.page;
      part("replace").hidden = false;
      part("replace").textContent = told.shown.legal ? "Replace it" : "Replace it anyway";
      return page.show(told.shown, told.shown.legal ? "The recorded games fit the new setup. Replace the old setup?" : "The new setup, or one of the recorded games, breaks a rule. Replace the old setup anyway?", "");
    }
    const replaced = what === "begin" && held;
    drop(draft());
    keep(told);
    const answers = { ...read(LAST + id) }, later = answers[held.games + 1];  /* answers by game number */
    if (what === "record") {
      write(LAST + id, { ...answers, [held.games]: questions.answers() });
      if (later) write(TYPED + id, later);
    }
    questions.take({});
    if (what === "begin" && !replaced && kbEvening.get()?.game === held.game) {
      view("campaign");
      draw(told);
      record();  /* it starts after this function, so do not wait for it here */
      return null;
    }
    if (what === "record") kbEvening.set(null);
    view("campaign");
    draw(told);
    return what === "record" ? page.say(`Recorded: ${held.last}.${later ? ` Your answers for game ${held.games + 1} are back.` : ""}`) : replaced && page.say("Replaced.");
  }
  /* A trade of the rebuild, with buttons to refuse it. */
  const move = ({ text, card, by, refused }) => make("li", text, ...by.flatMap((who) => [" ", kbPlain(refused ? "Allow again" : `${who} refuses`, ({ target }) => look({ who, card, refuses: !refused }, target), { "aria-label": refused ? `Allow again: ${who}, ${card}` : `${who} refuses ${card}` })]));
  function preview({ title, changes, findings, rebuilding }, stays) {
    const toQuestion = ({ question }) => (question ? [kbPlain("Go to the question", () => recorded.first(question))] : []);
    part("changes").replaceChildren(make("h3", title), make("ul", ...(changes.length ? changes : ["Nothing changes."]).map((each) => make("li", each))),
      make("ul.kb-build__findings", ...findings.map((each) => kbFinding(each, ...toQuestion(each)))),
      ...rebuilding.map((step) => make("section", make("h3", step.title), make("ul", ...step.moves.map(move)))));
    part("preview").hidden = false;
    if (stays) return;
    document.getElementById("kb-preview").focus({ preventScroll: true });
    part("preview").scrollIntoView({ block: "start" });
  }
  on("start", () => { game = part("game").value; start(); });
  for (const name of ["begin-it", "replace"]) on(name, () => inTurn(() => written(begun, "begin")));
  on("record", () => record());
  on("change", () => change());
  part("page").shadowRoot.addEventListener("click", ({ target }) => { if (target.dataset.kbAct) at === "campaign" ? change() : begun.first(); });
  const moves = () => [...part("changes").querySelectorAll("button")];
  const look = (refuse, button) => recorded.settled() && inTurn(async () => {
    const at = moves().indexOf(button), top = button?.getBoundingClientRect().top, told = await questioned(recorded, "record", { preview: true, refuse });
    if (!told) return;
    if (!told.preview) { page.complain(kbLacking(told)); return recorded.first(); }
    if (recorded.news()) return page.say("This question follows from your last answer.");
    preview(told.preview, refuse);
    if (refuse) { page.say(button.ariaLabel); kbStay(moves(), at, top, `Allow again: ${refuse.who}, ${refuse.card}`) || document.getElementById("kb-preview").focus({ preventScroll: true }); }
  });
  on("look", () => look());
  on("record-it", () => inTurn(() => written(recorded, "record")));
  for (const button of document.querySelectorAll("[data-kb-list]")) button.addEventListener("click", () => { leave(); view("list"); firstOf(); });
  on("back", () => go(id));

  /* Actions on the shown campaign */
  on("undo", (event) => kbSure(event, "Undo it?", () => inTurn(async () => {
    if (changedElsewhere()) { go(id); return; }
    const name = held.last, told = await answered("undo", { folder: held.files });
    if (!told) return;
    const answers = { ...read(LAST + id) }, typed = read(TYPED + id);
    if (typed) write(LAST + id, { ...answers, [held.games + 1]: typed });
    drop(TYPED + id);
    if (answers[held.games]) write(TYPED + id, answers[held.games]);  /* to be corrected and recorded again */
    keep(told);
    draw(told);
    page.say(`Undone: ${name}.`);
  })));
  on("zip", () => inTurn(async () => {
    const told = await answered("pack", { folder: held.files });
    if (told) page.save(Uint8Array.from(atob(told.zip), (each) => each.charCodeAt(0)), told.name, "zip");
  }));
  on("unzip", ({ target }) => inTurn(async () => {
    const [file] = target.files;
    if (!file) return;
    const bytes = file.size > form.dataset.most ? null : new Uint8Array(await file.arrayBuffer());
    target.value = "";
    if (!bytes) { page.complain(`${file.name}: This campaign zip is too large to read.`); return; }
    const told = await answered("unpack", { zip: btoa(Array.from(bytes, (each) => String.fromCharCode(each)).join("")) });
    if (!told) return;
    const as = (key) => { id = key; drop(LAST + key); keep(told); view("campaign"); draw(told); page.say(`Opened: ${held.title}.`); };
    const [same] = all().find(([, { title, game: of }]) => title === told.shown.title && of === told.shown.game) || [];
    if (!same) return as("");
    const choose = (words, key) => kbPlain(words, () => { page.quiet(); as(key); });
    page.complain(`A campaign called ${told.shown.title} is already saved here.`, choose("Replace it", same), choose("Keep both", ""));
  }), "change");
  /* Runs after the questions have saved unfinished answers. */
  function arrive(state) {
    if (state?.kb === "begin" && !state.id) { game = state.game; start(false); }
    else if (!read(KEY + state?.id)) { leave(); view("list", false); }
    else if (state.kb === "record" || state.kb === "begin") { id = state.id; held = read(KEY + id); (state.kb === "record" ? record : change)(false); }
    else go(state.id, false);
  }
  addEventListener("popstate", ({ state }) => arrive(state));
  const back = /^#(record|begin|go)=(\w+)$/.exec(location.hash);
  if (back) history.replaceState({ kb: back[1], id: back[2] }, "", location.pathname + location.search);
  view("list", false);
  if (location.hash === "#evening" && kbEvening.get()) {
    history.replaceState({ kb: "list" }, "", location.pathname + location.search);
    game = kbEvening.get().game;
    const [newest] = all().find(([, each]) => each.game === game) || [];
    if (newest) { id = newest; held = read(KEY + id); record(); } else start();
  } else arrive(history.state);  /* continue after a visit to a rule or deck, or after a reload */
})();
