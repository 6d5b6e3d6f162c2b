/* The page "Rebuild the party", which also checks parties: takes a party file or several decks, runs the checker, shows its answer. */
"use strict";
(function () {
  const page = kbCheckerPage(), { form, part, on } = page, table = document.getElementById("kb-table"), text = part("text"), fill = part("fill");
  const buttons = form.querySelectorAll("[data-kb-do]"), shown = part("page").shadowRoot, host = form.querySelector("[data-kb-asked]"), REBUILD = "kb party rebuild TABLE", KEEP = part("keep").textContent;
  let tabled = [];  /* the questions about the party as last drawn */
  let last = null, written = null;  /* written: the party file made from the answers */

  const take = (told) => page.fill(table, told);
  function toText() { if (text.hidden) told.first(); else { text.open = true; table.focus(); } }

  /* The decks of a party, the owned cards, and the characters who are out */
  const asked = JSON.parse(host.dataset.kbAsked), told = kbQuestions(host, () => kbKept.set("table-asked", told.answers()), () => game);
  let game = "";  /* the last choice on this device */
  /* Hides the fields of other games. */
  function choose() {
    if (game === part("game").value) return;
    kbKept.set("table-game", game = part("game").value);
    for (const each of form.querySelectorAll("[data-kb-when]")) each.hidden = each.dataset.kbWhen !== game;
    told.draw(asked[game], true);
  }
  function answer(answers) {
    told.take(answers);
    told.draw(asked[game], true);
    kbKept.set("table-asked", answers);
  }
  const left = [...part("game").options].find(({ value }) => value === kbKept.get("table-game"));
  if (left && !page.chosen) left.selected = true;
  told.take(kbKept.get("table-asked") || {});
  choose();
  on("game", choose, "change");
  const isDeck = (key) => key.startsWith("deck ");
  const decks = () => Object.entries(told.answers()).filter(([key]) => isDeck(key)).sort().map(([name, deck]) => ({ name, text: deck }));
  const give = (files) => answer(Object.fromEntries([...Object.entries(told.answers()).filter(([key]) => !isDeck(key)), ...files.map((file, at) => [`deck ${at + 1}`, file.text])]));

  /* Asking */
  function question(what, files, act) {
    if (what === "together") return { do: what, files, ...act, ...Object.fromEntries(asked[game].questions.filter(({ key }) => !isDeck(key)).map(({ key }) => [key, (told.answers()[key] || "").split("\n").filter(Boolean)])) };
    return { do: what, ...files[0], fill: fill.checked, ...act, asked: files[0].text === written ? by.answers() : undefined };
  }
  /* `button`: the pressed button of a trade or problem. With `stays`, the focus does not move to the answer. */
  async function run(what, button, stays = Boolean(button)) {
    if (buttons[0].disabled || (what === "together" && !told.settled())) return;  /* the keyboard shortcut works while the buttons are busy */
    page.quiet();
    buttons.forEach((button) => { button.disabled = true; });
    await answered(what, button, stays);
    buttons.forEach((button) => { button.disabled = false; });
  }
  async function answered(what, button, stays) {
    const command = what === "rebuild" ? REBUILD : "kb party check DECK...";
    const own = what === "together" && decks().length > 0, text = own ? "" : await page.entered(table, command), files = own ? decks() : [{ name: "table", text }];
    if (text === null) return;
    const act = button && JSON.parse(button.dataset.kbAct);
    if (own) told.draw(asked[game]);  /* remove earlier problems of a deck */
    if (!files[0].text.trim()) { page.complain(what === "rebuild" ? "There is nothing here yet. Paste a party file, open one, or try the example." : "There is nothing here yet. Choose decks, open files, or try the example."); return toText(); }
    const found = await page.answer(question(what, files, act), command, (problem, found) => {
      if (own && Number.isInteger(found.deck)) {
        const { name } = files[found.deck], mend = (text) => { answer({ ...told.answers(), [name]: text }); run("together"); };
        page.refuse(problem, kbMends(found, mend), (...words) => told.say(name, ...words));
      } else {
        page.refuse(problem);
        if (!own && files[0].text !== written) toText();
      }
    });
    if (!found) return;
    last = found;
    if (act?.refuse) {
      if (files[0].text === written) { written = found.text; by.take({ ...by.answers(), refuses: found.refuses }); kbKept.set("table-typed", by.answers()); }
      table.value = found.text;
    }
    if (found.share) keep(found.share);
    part("link").hidden = !found.share;
    part("keep").hidden = !found.decks?.length;
    part("keep").textContent = KEEP;
    if (part("evening")) part("evening").hidden = files[0].text !== written;
    part("said").textContent = "";
    const at = acts().indexOf(button), top = button?.getBoundingClientRect().top;
    page.show(found, found.title, "table", stays);
    history.replaceState({ together: own }, "");
    if (!act) return;
    const put = (files) => { if (own) give(files); else { take(files[0].text); keep(); } };
    if (act.mend) put(found.files);
    part("said").replaceChildren(button.ariaLabel || button.textContent, ...(act.mend ? [" ", kbPlain("Undo", () => { put(files); run(what); })] : []));
    kbStay(acts(), at, top, act.refuse && `Allow again: ${act.refuse.who}, ${act.refuse.card}`) || document.getElementById("kb-verdict").focus({ preventScroll: true });
  }

  /* A party that the user enters by answering questions */
  const asks = form.querySelector("[data-kb-table]"), by = asks && kbQuestions(asks.querySelector("div"), () => { kbKept.set("table-typed", by.answers()); page.outdated(); asking(); }, () => asks.dataset.kbTable);
  const asking = (more, anew) => page.inTurn(async () => {
    const found = await page.answer({ do: "table", game: asks.dataset.kbTable, answers: by.answers(), ...more }, REBUILD);
    if (found) { by.draw(found, anew); tabled = found.questions; }
    return found;
  });
  if (asks) {
    by.take(kbKept.get("table-typed") || {});
    by.draw(JSON.parse(asks.dataset.kbFirst)[0], true);
    /* A rebuilt party shows its answer again after a reload. */
    const again = (found) => { if (found?.text && found.text === table.value && location.hash) { written = found.text; run("rebuild", null, document.activeElement !== document.body); } };
    if (Object.keys(by.answers()).length) asking({}, true).then(again);
    asks.querySelector("[data-kb-write]").addEventListener("click", async () => {
      const found = by.settled() && await asking({ whole: true });
      if (!found) return;
      if (!found.text) { page.complain(kbLacking(found)); by.first(); return; }
      if (by.news()) { page.say("This question follows from your last answer."); return; }
      take(written = found.text);
      keep();
      run("rebuild");
    });
  }

  const acts = () => [...shown.querySelectorAll("[data-kb-act]")];
  shown.addEventListener("click", ({ target }) => { if (acts().includes(target)) run(JSON.parse(target.dataset.kbAct).do, target); });
  form.addEventListener("submit", (event) => run((event.submitter || buttons[0]).dataset.kbDo));
  for (const button of form.querySelectorAll("[data-kb-example]")) {
    button.addEventListener("click", () => {
      const example = JSON.parse(button.dataset.kbExample);
      if (Array.isArray(example)) return give(example);
      take(example);
      return toText();
    });
  }
  page.files((files) => {
    if (files.length > 6) return page.complain("You can check at most six decks together.");
    return files.length > 1 || text.hidden ? give(files) : (take(files[0].text), toText());
  });

  /* Passes the answers to the campaign: who played, and whose decks these were (campaign.js). */
  on("evening", () => {
    const answers = by.answers(), who = tabled.find(({ needed, many }) => needed && many);
    kbEvening.set({ game: asks.dataset.kbTable, answers, people: who ? answers[who.key] : "", decks: Object.fromEntries(tabled.filter(({ kind, of, key }) => kind === "deck" && of && answers[key]).map(({ of, key }) => [of, answers[key]])) });
    location.href = `${kbBase}/campaign.html#evening`;
  });
  on("keep", () => {
    const now = Date.now();
    const kept = kbDrafts.keep({ ...kbDrafts.all(), ...Object.fromEntries(last.decks.map(({ text, title, share, game, who }) => [share, { text, title, share, game, who, step: null, when: now }])) });
    if (kept) part("keep").textContent = "Kept on this device";
    told.draw(asked[game], true);  /* now with these decks in the lists of choices */
    if (asks) asking({}, true);
    part("said").textContent = kept ? "You can continue these decks in “Build a deck” and use them in “Record a campaign”." : "This browser cannot save decks. Save the deck files instead.";
  });
  const keep = page.drafts("table", () => table.value, take);
  page.linked("table", "This link contains a party. Rebuild the party to see it. This loads the checker.", () => {
    text.open = true;
    setTimeout(() => form.querySelector("[data-kb-do=rebuild]")?.focus());  /* so that Enter does not press the first button of the page */
  });
  /* Decks that were checked together are checked together again after a reload. */
  if (history.state?.together && !location.hash && decks().length) run("together", null, document.activeElement !== document.body);
})();
