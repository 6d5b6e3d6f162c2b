/* The page "Check a deck": takes a deck, runs the checker, shows its verdict. */
"use strict";
(function () {
  const page = kbCheckerPage(), { form } = page, deck = form.querySelector("textarea"), go = form.querySelector(".kb-check__go"), COMMAND = "kb deck check FILE";
  let name = "deck", come = false;

  async function check() {
    if (go.disabled) return;  /* the keyboard shortcut works while the button is busy */
    page.quiet();
    go.disabled = true;
    await judge();
    go.disabled = false;
    if (come) { come = false; check(); }
  }
  async function judge() {
    const text = await page.entered(deck, COMMAND);
    if (text === null) return;
    if (!text.trim()) { page.complain("There is no deck yet. Paste one or open a file."); return deck.focus(); }
    const answer = await page.answer({ do: "check", text, name, agreed: agreed() }, COMMAND, (problem, found) => {
      deck.focus();
      page.refuse(problem, kbMends(found, (text) => { take(text, name); check(); }));
    });
    if (!answer) return;
    const { report, share, counted } = answer;
    keep(share);
    const mend = page.part("mend");
    if (mend) {
      mend.hidden = !forms.includes(report.game);
      mend.textContent = `${report.legal ? "Change" : "Fix"} it in the deck builder`;
      mend.href = `${kbBase}/build.html#deck=${share}&now`;
    }
    page.show({ ...answer, legal: report.legal }, `${report.character}: ${report.legal ? "legal" : "not legal"}${counted ? ` (${counted})` : ""}`, "deck");
  }
  function take(text, called = "deck") {
    page.fill(deck, text);
    name = called;
    keep();
  }
  const agreed = page.agreed(), keep = page.drafts("deck", () => deck.value, (text) => { deck.value = text; });
  form.addEventListener("submit", check);
  deck.addEventListener("input", () => { name = "deck"; });
  for (const button of form.querySelectorAll("[data-kb-example]")) button.addEventListener("click", () => { take(button.dataset.kbExample); deck.focus(); });
  page.files((files) => {
    if (files.length > 1) return page.complain("This page checks one deck at a time. Open one file, or check several decks together on “Rebuild the party”.");
    take(files[0].text, files[0].name);
    come = go.disabled;  /* true while another deck is being checked */
    check();
  });
  const host = page.part("shared"), forms = JSON.parse(host.dataset.forms);
  const leave = page.linked("deck", "This link contains a deck. Select “Check the deck” to see it.", () => {}, undefined, ({ text, game, share }) => [
    kbMake("button.kb-button", { click: async () => { leave(); take(await kbShared.named(game, text)); check(); } }, "Check this deck"),
    ...(forms.includes(game) ? [kbMake("a.kb-check__plain", { href: `${host.dataset.build}#deck=${share}&now` }, "Edit a copy")] : []),
  ]);
})();
