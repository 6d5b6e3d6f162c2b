/* The page "Record a campaign": the conversation of `kb campaign record` as a form, over a folder of files that this browser keeps and that goes
   out and in as a zip. The checker writes and judges the files; no rule is decided here. */
"use strict";
(function () {
  const form = document.querySelector("[data-kb-check]");
  if (!form) return;
  const page = kbCheckerPage(form), make = kbMake, part = (name) => document.querySelector(`[data-kb-${name}]`);
  const named = JSON.parse(form.dataset.games), views = form.querySelectorAll("[data-kb-view]"), KEY = "kb-campaign-", TYPED = "kb-typed-", NEW = "new";
  let id = "", held = null, game = "", turn = Promise.resolve(), asked = 0, at = "list";

  /* What this browser keeps: each campaign with its files, and what is typed for its next game */
  const read = (key) => { try { return JSON.parse(localStorage.getItem(key)); } catch { return null; } };
  function write(key, value) {
    try { localStorage.setItem(key, JSON.stringify(value)); return true; } catch {
      page.complain("This browser keeps no more: take the campaign out as a zip before you leave this page.");
      return false;
    }
  }
  const drop = (key) => { try { localStorage.removeItem(key); } catch { /* nothing is kept then */ } };
  const all = () => { try { return Object.keys(localStorage).filter((key) => key.startsWith(KEY)).map((key) => [key.slice(KEY.length), read(key)]).filter((each) => each[1] && each[1].files).sort((a, b) => b[1].when - a[1].when); } catch { return []; } };
  const draft = () => TYPED + (at === "begin" ? `${NEW}-${game}` : id);
  const stamp = () => Math.random().toString(36).slice(2);
  /* Another tab may have written the same campaign: then nothing is written over it. */
  function keep({ files, shown }) {
    if (!id) id = stamp();
    held = { files, game: shown.game, title: shown.title, games: shown.games, last: shown.last, when: Date.now(), stamp: stamp() };
    write(KEY + id, held);
  }
  function changedElsewhere() {
    const there = id && read(KEY + id);
    return held && there && there.stamp !== held.stamp ? there : null;
  }
  addEventListener("storage", (event) => { if (event.key === KEY + id && at === "campaign" && changedElsewhere()) go(id); if (at === "list") list(); });

  /* Asking */
  async function answered(what, more = {}) {
    page.say("Starting the checker …", null);
    const told = await page.ask({ do: "campaign", what, ...more }).catch((error) => ({ problem: `The checker could not run. ${error.message} On the command line \`kb campaign\` does the same.` }));
    if (told.problem) { page.complain(told.problem); return null; }
    page.quiet();
    return told;
  }
  const inTurn = (work) => { turn = turn.then(work); return turn; };

  /* Views; Back leads from one to the other */
  function view(name, fresh = true) {
    at = name;
    for (const each of views) each.hidden = each.dataset.kbView !== name;
    part("verdict").hidden = name !== "campaign";
    if (fresh && (history.state || {}).kb !== name) history.pushState({ kb: name, id, game }, "");
    if (name === "list") list();
  }
  addEventListener("popstate", ({ state }) => {
    if (!state || state.kb === "list") { id = ""; held = null; view("list", false); } else if (state.kb === "begin") { game = state.game; start(false); } else if (state.kb === "record") { id = state.id; held = read(KEY + id); record(false); } else go(state.id, false);
  });
  function list() {
    const there = all();
    part("kept").hidden = !there.length;
    part("kept").replaceChildren(...there.map(([key, { title, games, last, when, game: of }]) => {
      const open = make("button.kb-campaign__open", make("strong", title), make("small", `${named[of] || of} · ${games} game${games === 1 ? "" : "s"}${last ? `, last ${last}` : ""} · ${new Date(when).toLocaleDateString([], { dateStyle: "medium" })}`));
      const forget = make("button.kb-check__plain", { "aria-label": `Forget ${title}` }, "Forget");
      open.addEventListener("click", () => go(key));
      forget.addEventListener("click", () => {
        if (forget.textContent === "Forget") { forget.textContent = "Really forget it?"; return; }
        drop(KEY + key); drop(TYPED + key); list(); (part("kept").querySelector("button") || part("game")).focus();
      });
      return make("li", open, forget);
    }));
  }
  function draw(told) {
    held = { ...held, title: told.shown.title, games: told.shown.games };
    page.show(told.shown, told.shown.title, "", true);
    document.getElementById("kb-verdict").focus({ preventScroll: true });
    part("record").scrollIntoView({ block: "center" });  /* what comes next stays in sight above it */
    part("undo").hidden = !told.shown.games;
    part("undo").textContent = "Take the last game back";
  }
  const go = (key, fresh = true) => inTurn(async () => {
    const there = read(KEY + key);
    if (!there) return view("list");
    const told = await answered("show", { folder: there.files });
    if (!told) return null;
    id = key;
    held = there;
    view("campaign", fresh);
    last = told.shown;
    return draw(told);
  });
  let last = null;

  /* Beginning, and recording */
  const begun = kbQuestions(part("begin-questions"), () => typed(begun, "begin"));
  const recorded = kbQuestions(part("record-questions"), () => { part("preview").hidden = true; typed(recorded, "record"); });
  function typed(questions, what) {
    write(draft(), questions.answers());
    const mine = ++asked;
    inTurn(async () => { if (mine === asked) await questioned(questions, what, {}); });
  }
  async function questioned(questions, what, more, anew) {
    const told = await answered(what, { folder: held ? held.files : {}, game, answers: questions.answers(), ...more });
    if (told && more.refuse) { questions.take({ ...questions.answers(), refuses: told.refuses }); write(draft(), questions.answers()); }
    if (told && told.questions) questions.draw(told, anew);
    return told;
  }
  const start = (fresh = true) => inTurn(async () => {
    id = "";
    held = null;
    at = "begin";
    begun.take(read(draft()) || {});
    if (!await questioned(begun, "begin", {}, true)) { at = "list"; return; }
    view("begin", fresh);
    document.getElementById("kb-begin").focus({ preventScroll: true });
    scrollTo(0, 0);
  });
  const record = (fresh = true) => inTurn(async () => {
    const before = at;
    at = "record";
    recorded.take(read(draft()) || {});
    part("preview").hidden = true;
    if (!await questioned(recorded, "record", {}, true)) { at = before; return; }
    view("record", fresh);
    const title = document.getElementById("kb-record");
    title.textContent = `${held.title}: game ${held.games + 1}`;
    title.focus({ preventScroll: true });
    scrollTo(0, 0);
  });
  const wrong = (told) => told.problems || told.questions.some((each) => each.wrong);
  async function written(questions, what) {
    if (held) {
      const there = changedElsewhere();
      if (there) { held = there; await questioned(questions, what, {}, true); return page.complain("This campaign was changed in another tab. What you typed is still here: look at it again."); }
    }
    const told = await questioned(questions, what, { write: true });
    if (!told) return null;
    if (!told.files) { page.complain((told.problems || ["Something is still to be answered: it is marked."]).join("\n")); return questions.first(); }
    drop(draft());
    questions.take({});
    keep(told);
    last = told.shown;
    view("campaign");
    return draw(told);
  }
  /* A move of the rebuild, with buttons that refuse it. */
  const move = ({ text, card, by, refused }) => make("li", text, ...by.flatMap((who) => [" ", make("button.kb-check__plain", { "aria-label": refused ? `Allow again: ${who}, ${card}` : `${who} refuses ${card}`, click: ({ target }) => look({ who, card, refuses: !refused }, target) }, refused ? "Allow again" : `${who} refuses`)]));
  function preview({ title, changes, findings, rebuilding }, stays) {
    const words = { error: "Breaks a rule: ", warning: "Careful: ", note: "Note: " };
    part("changes").replaceChildren(make("h3", title), make("ul", ...(changes.length ? changes : ["Nothing changes."]).map((each) => make("li", each))),
      make("ul.kb-build__findings", ...findings.map(({ severity, message, fix, question, links }) => make(`li.kb-build__finding.kb-build__finding--${severity}`, make("strong", words[severity]), message, " ", make("em", fix), ...(question ? [" ", make("button.kb-check__plain", { click: () => recorded.first(question) }, "To the question")] : []), ...links.filter(({ url }) => url).slice(0, 1).flatMap((each) => [" ", make("a", { href: `${kbBase}/${each.url}` }, each.title)])))),
      ...rebuilding.flatMap((step) => [make("h3", step.title), make("ul", ...step.moves.map(move))]));
    part("preview").hidden = false;
    if (stays) return;
    document.getElementById("kb-preview").focus({ preventScroll: true });
    part("preview").scrollIntoView({ block: "start" });
  }
  part("game").addEventListener("change", () => { game = part("game").value; });
  game = part("game").value;
  part("start").addEventListener("click", () => { game = part("game").value; start(); });
  part("begin-it").addEventListener("click", () => inTurn(() => written(begun, "begin")));
  part("record").addEventListener("click", () => record());
  const moves = () => [...part("changes").querySelectorAll("button")];
  const look = (refuse, button) => inTurn(async () => {
    const at = moves().indexOf(button), told = await questioned(recorded, "record", { preview: true, refuse });
    if (!told) return;
    if (!told.preview) { page.complain("Something is still to be answered: it is marked."); return recorded.first(); }
    preview(told.preview, refuse);
    if (refuse) { page.say(button.ariaLabel); (moves()[Math.min(at, moves().length - 1)] || document.getElementById("kb-preview")).focus({ preventScroll: true }); }
  });
  part("look").addEventListener("click", () => look());
  part("record-it").addEventListener("click", () => inTurn(() => written(recorded, "record")));
  for (const button of document.querySelectorAll("[data-kb-list]")) button.addEventListener("click", () => { id = ""; held = null; view("list"); (part("kept").querySelector("button") || part("game")).focus(); });
  for (const button of document.querySelectorAll("[data-kb-back]")) button.addEventListener("click", () => go(id));
  form.addEventListener("submit", (event) => event.preventDefault());

  /* What is done with a campaign as it is shown */
  part("undo").addEventListener("click", () => {
    if (part("undo").textContent !== "Really take it back?") { part("undo").textContent = "Really take it back?"; return; }
    inTurn(async () => {
      if (changedElsewhere()) { await go(id); return; }
      const told = await answered("undo", { folder: held.files });
      if (told) { keep(told); last = told.shown; draw(told); }
    });
  });
  part("zip").addEventListener("click", () => inTurn(async () => {
    const told = await answered("pack", { folder: held.files });
    if (told) page.save(Uint8Array.from(atob(told.zip), (each) => each.charCodeAt(0)), told.name, "zip");
  }));
  page.button("save").addEventListener("click", () => page.save(last.alone, last.title));
  part("unzip").addEventListener("change", ({ target }) => inTurn(async () => {
    const [file] = target.files;
    if (!file) return;
    const most = Number(form.dataset.most);
    if (file.size > most) { page.complain(`${file.name}: This is no zip of a campaign that can be read: it is too large.`); target.value = ""; return; }
    const bytes = new Uint8Array(await file.arrayBuffer());
    let text = "";
    for (const each of bytes) text += String.fromCharCode(each);
    target.value = "";
    const told = await answered("unpack", { zip: btoa(text) });
    if (!told) return;
    id = "";
    keep(told);
    last = told.shown;
    view("campaign");
    draw(told);
  }));
  history.replaceState({ kb: "list" }, "", location.pathname + location.search);
  view("list", false);
})();
