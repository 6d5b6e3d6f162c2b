/* The page "Check a deck": takes a deck, asks the checker, shows its verdict. No rule is decided here. */
"use strict";
(function () {
  const form = document.querySelector("[data-kb-check]");
  if (!form) return;
  const page = kbCheckerPage(form), deck = form.querySelector("textarea"), go = form.querySelector(".kb-check__go");
  let name = "deck", shared = "", last = null, come = false;

  async function check() {
    if (go.disabled) return;  /* the keys ask while the button waits */
    page.quiet();
    go.disabled = true;
    try {
      if (shared && !deck.value.trim()) {
        const opened = await page.ask({ do: "open", share: shared });
        if (opened.problem) { page.hide(); return page.complain(opened.problem); }
        deck.value = opened.text;
        shared = "";
      }
      if (!deck.value.trim()) { page.complain("There is no deck yet: paste one, or open its file."); return deck.focus(); }
      page.say("Starting the checker …", null);
      const answer = await page.ask({ do: "check", text: deck.value, name, agreed: agreed() });
      if (answer.problem) { page.refuse(answer.problem); return deck.focus(); }
      page.quiet();
      const { report } = answer, said = page.counted(report.findings);
      last = answer;
      draft.keep(answer.share);
      page.show({ page: answer.page, legal: report.legal }, `${report.character}: ${report.legal ? "legal" : "not legal"}${said ? ` (${said})` : ""}`, `#deck=${answer.share}`);
    } catch (error) {
      page.complain(`The checker could not run. ${error.message} On the command line \`kb deck check FILE\` gives the same verdict.`);
    } finally { go.disabled = false; }
    if (come) { come = false; check(); }
  }

  function take(text, called) {
    deck.value = text;
    deck.setSelectionRange(0, 0);
    name = called || "deck";
    shared = "";
    page.quiet();
    draft.keep();
  }
  const agreed = page.agreed();
  const draft = page.drafts("deck", () => deck.value, (text) => { deck.value = text; });
  form.addEventListener("submit", (event) => { event.preventDefault(); check(); });
  deck.addEventListener("input", () => { name = "deck"; });
  deck.addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); check(); } });
  for (const button of form.querySelectorAll("[data-kb-example]")) button.addEventListener("click", () => { take(button.dataset.kbExample); deck.focus(); });
  page.files((files) => {
    if (files.length > 1) return page.complain("One deck is checked at a time: give one file. The decks of one table are checked together on the page for a party.");
    take(files[0].text, files[0].name);
    come = go.disabled;  /* while another is checked */
    check();
  });

  page.on("link", ({ target }) => page.copy(target, `${location.href.replace(/#.*/, "")}#deck=${last.share}`));
  page.on("json", ({ target }) => page.copy(target, JSON.stringify([last.report], null, 2)));
  page.on("save", () => page.save(last.alone, last.report.character));
  page.linked("deck", "This link holds a deck. Check it to see it: the checker is loaded then.", (share) => (last ? last.share === share : draft.holds(share)),
    (share) => { last = null; shared = share; deck.value = ""; draft.leave(); });
})();
