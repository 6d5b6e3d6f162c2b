/* The page "Rebuild the party": takes a table file or the decks of a table, asks the checker, shows its answer. No rule is decided here. */
"use strict";
(function () {
  const page = kbCheckerPage(), { form, part, on } = page, sheets = part("sheets"), model = form.querySelector("template");
  const make = kbMake, titles = JSON.parse(form.dataset.games), text = part("text"), fill = part("fill");
  const buttons = form.querySelectorAll("[data-kb-do]"), shown = part("page").shadowRoot, host = form.querySelector("[data-kb-asked]"), REBUILD = "kb party rebuild TABLE";
  let shared = "", last = null, written = null;  /* written: the table as the questions wrote it */
  const TABLE = "the table";  /* what its sheet is called */

  /* Sheets: a table file, or a deck on each */
  const all = () => [...sheets.children];
  const field = (sheet) => sheet.querySelector("textarea");
  function number() {
    const many = all().length > 1;
    all().forEach((sheet, at) => {
      const name = sheet.dataset.name;
      sheet.querySelector("label span").textContent = many ? `Deck ${at + 1}${name ? ` (${name})` : ""}` : name || "Your table, or a deck";
      sheet.querySelector("button").hidden = !many;
    });
    const entry = entered();
    part("many").textContent = entry.length ? `: ${entry.map(({ name }) => name).join(", ")}` : "";
    for (const box of part("here").querySelectorAll("input")) box.checked = entry.some((each) => each.text === kbDrafts.all()[box.value]?.text);
  }
  function add(text = "", name = "") {
    const sheet = model.content.firstElementChild.cloneNode(true), area = field(sheet);
    area.id = `kb-sheet-${Math.random().toString(36).slice(2)}`;
    sheet.querySelector("label").htmlFor = area.id;
    area.value = text;
    area.setSelectionRange(0, 0);
    sheet.dataset.name = name;
    sheet.querySelector("button").addEventListener("click", () => { sheet.remove(); if (!all().length) add(); number(); field(sheets.lastElementChild).focus(); });
    sheets.append(sheet);
    number();
    return area;
  }
  function take(files) {
    sheets.replaceChildren();
    shared = "";
    for (const { name, text: told } of files) add(told, name);
    if (!files.length) add();
    page.quiet();
  }
  /* Decks that were built on this device, to choose from */
  function chosen({ target }) {
    const { text: deck, title } = kbDrafts.all()[target.value] || {}, others = entered().filter((each) => each.text !== deck && each.name !== TABLE);
    take(target.checked && deck ? [...others, { name: title, text: deck }] : others);
    keep();
  }
  function listHere() {
    const there = kbDrafts.listed().filter(([, { game }]) => titles[game]);
    part("here").hidden = !there.length;
    part("here").replaceChildren(...there.map(([id, { title, game }]) => make("li", make("label.kb-check__flag", make("input", { type: "checkbox", value: id, change: chosen }), make("span", `${title} (${titles[game]})`)))));
  }
  const entered = () => all().map((sheet, at) => ({ name: sheet.dataset.name || (all().length > 1 ? `deck ${at + 1}` : "table"), text: field(sheet).value })).filter(({ text }) => text.trim());

  /* What is told of a table besides its decks. */
  const told = kbQuestions(host, () => kbKept.set("table-asked", told.answers()));
  told.take(kbKept.get("table-asked") || {});
  told.draw(JSON.parse(host.dataset.kbAsked), true);

  /* Asking */
  function question(what, files, refuse) {
    if (what === "together") return { do: what, files, ...Object.fromEntries(Object.entries(told.answers()).map(([key, names]) => [key, names.split("\n")])) };
    return { do: what, ...files[0], fill: fill.checked, refuse, asked: files[0].text === written ? by.answers() : undefined };
  }
  /* `these`: files that are not on the sheets; `refuse`: the button of a move. */
  async function run(what, these, refuse) {
    if (buttons[0].disabled) return;  /* the keys ask while the buttons wait */
    page.quiet();
    buttons.forEach((button) => { button.disabled = true; });
    await answered(what, these, refuse);
    buttons.forEach((button) => { button.disabled = false; });
  }
  const first = () => field(all()[0]);
  async function answered(what, these, refuse) {
    const command = what === "rebuild" ? REBUILD : "kb party check DECK...";
    if (!these && shared && !entered().length) {
      const opened = await page.answer({ do: "open", share: shared }, command);
      if (!opened) return;
      take([{ name: "", text: opened.text }]);
    }
    const files = these || entered().filter(({ name }) => what === "rebuild" || name !== TABLE);
    if (!files.length) { page.complain(what === "rebuild" ? "There is nothing here yet: paste a table, open its file, or try the example." : "There is nothing here yet: choose decks, open their files, or try the example."); return first().focus(); }
    if (what === "rebuild" && files.length > 1) return page.complain("A table is rebuilt from one file that names its members. Several decks are checked together, with the other button.");
    const answer = await page.answer(question(what, files, refuse && JSON.parse(refuse.dataset.kbRefuse)), command, (problem) => { page.refuse(problem); text.open ||= files[0].text !== written; first().focus(); });
    if (!answer) return;
    last = answer;
    if (refuse) {
      if (files[0].text === written) { written = answer.text; by.take({ ...by.answers(), refuses: answer.refuses }); kbKept.set("table-typed", by.answers()); }
      first().value = answer.text;
    }
    if (!these && answer.share) keep(answer.share);
    part("link").hidden = !answer.share;
    for (const each of ["decks", "keep"]) part(each).hidden = !answer.decks?.length;
    const at = moves().indexOf(refuse), top = refuse?.getBoundingClientRect().top;
    page.show({ ...answer, name: answer.title.replace(/:.*/, "") }, answer.title, "table", Boolean(refuse));
    if (refuse) {
      const { who, card } = JSON.parse(refuse.dataset.kbRefuse);
      page.say(refuse.ariaLabel);
      kbStay(moves(), at, top, `Allow again: ${who}, ${card}`);
    }
  }

  /* A table by questions */
  const asks = form.querySelector("[data-kb-table]"), by = asks && kbQuestions(asks.querySelector("div"), () => { kbKept.set("table-typed", by.answers()); page.outdated(); asking(); }, () => asks.dataset.kbTable);
  const asking = (more, anew) => page.inTurn(async () => {
    const found = await page.answer({ do: "table", game: asks.dataset.kbTable, answers: by.answers(), ...more }, REBUILD);
    if (found) by.draw(found, anew);
    return found;
  });
  if (asks) {
    by.take(kbKept.get("table-typed") || {});
    by.draw(JSON.parse(asks.dataset.kbFirst)[0], true);
    if (Object.keys(by.answers()).length) asking({}, true);
    asks.querySelector("[data-kb-write]").addEventListener("click", async () => {
      const found = await asking({ whole: true });
      if (!found) return;
      if (!found.text) { page.complain("Something is still to be answered: it is marked."); by.first(); return; }
      take([{ name: TABLE, text: written = found.text }]);
      keep();
      run("rebuild");
    });
  }

  const moves = () => [...shown.querySelectorAll("[data-kb-refuse]")];
  shown.addEventListener("click", ({ target }) => { if (target.closest("[data-kb-refuse]")) run("rebuild", null, target.closest("[data-kb-refuse]")); });
  form.addEventListener("submit", (event) => run((event.submitter || buttons[0]).dataset.kbDo));
  form.querySelector("[data-kb-add]").addEventListener("click", () => add().focus());
  sheets.addEventListener("input", number);
  for (const button of form.querySelectorAll("[data-kb-example]")) {
    button.addEventListener("click", () => { take(JSON.parse(button.dataset.kbExample)); text.open = true; first().focus(); });
  }
  page.files((files) => take(entered().length ? [...entered().map(({ name, text }) => ({ name: /^(table|deck \d+)$/.test(name) ? "" : name, text })), ...files] : files));

  on("decks", () => run("together", last.decks));
  on("keep", () => {
    const now = Date.now();
    const kept = kbDrafts.keep({ ...kbDrafts.all(), ...Object.fromEntries(last.decks.map(({ text, title, share, game, who }) => [share, { text, title, share, game, who, step: null, when: now }])) });
    listHere();
    if (kept) page.say("The decks are kept on this device: “Build a deck” goes on with them, and “Record a campaign” takes them.");
    else page.complain("This browser keeps no decks: save their files.");
  });
  listHere();
  take([]);
  const keep = page.drafts("table", () => all().map((sheet) => ({ name: sheet.dataset.name, text: field(sheet).value })), take);
  page.linked("table", "This link holds a table. Rebuild it to see it: the checker is loaded then.", (share) => { take([]); shared = share; text.open = true; });
})();
