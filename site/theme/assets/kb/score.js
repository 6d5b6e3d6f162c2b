/* The page "Score a game": asks about a final position, and updates its score while the user types. */
"use strict";
(function () {
  const page = kbCheckerPage(), make = kbMake, { part, on } = page, title = document.getElementById("kb-scored");
  const questions = kbQuestions(part("questions"), () => { keep(); ask({ answers: questions.answers() }); });
  let game = "", last = null, asked = 0;

  /* The input is stored on this device. */
  const KEY = "score", kept = () => kbKept.get(KEY) || {};
  const keep = () => kbKept.set(KEY, { ...kept(), [game]: questions.answers() });

  function atBeginning(here) { part("begin").hidden = !here; part("position").hidden = here; }
  function ask(question, how) {
    const mine = ++asked;
    if (!last) { page.makeRoom(); atBeginning(false); }
    return page.inTurn(async () => {
      if (mine !== asked && !how) return;  /* a newer request has already been sent */
      const told = await page.answer({ do: "score", game, ...question }, "kb score");
      page.arrived();
      if (!told) { if (!last) atBeginning(true); return; }
      last = told;
      if ("text" in question) { questions.take(told.answers); keep(); }
      questions.draw(told, how === "anew");
      const groups = told.questions.map(({ group }) => group), players = [...new Set(groups)].filter((name) => name && groups.filter((each) => each === name).length > 4);
      part("questions").classList.toggle("kb-score__table", players.length > 0);
      part("questions").style.setProperty("--players", players.length);
      atBeginning(false);
      show(told);
    });
  }
  const rule = ({ id, title }) => (last.links[id] ? make("a", { href: `${kbBase}/${last.links[id]}` }, title) : title);
  function line({ line, points, detail, ask: lacks, question, cites }) {
    const asked = question && last.questions.find(({ key }) => key === question);
    const to = asked ? [" ", kbPlain("Go to the question", () => questions.first(question), { "aria-label": `Go to the question: ${asked.text}` })] : [];
    return make(`li.kb-score__line${points === null ? ".kb-score__line--open" : ""}`, make("span.kb-score__what", line), make("strong", points === null ? "?" : String(points)),
      make("small", lacks || detail, ...to, " · ", ...cites.flatMap((each, at) => (at ? [", ", rule(each)] : [rule(each)]))));
  }
  function show({ score, problems, text, questions, on_tie: onTie }) {
    const complete = Boolean(score), said = part("said");
    part("save").hidden = !text;
    part("over").hidden = false;
    said.textContent = problems.length ? problems[0] : !complete ? (questions.some(({ wrong }) => wrong) ? kbLacking({ questions }) : "Enter who played.")
      : score.players.map(({ name, points, complete: all }) => `${name} ${points}${all ? "" : " so far"}`).join(" · ") + (score.most_points.length ? `. Most points: ${score.most_points.join(" and ")}.${score.tie ? ` It is a tie. ${onTie || ""}` : ""}` : "");
    part("scores").replaceChildren(...problems.slice(1).map((each) => make("p.kb-small", each)), ...(complete ? score.players : []).map(({ name, points, lines }) => make("section.kb-score", make("h3", name, " ", make("span", `${points} points`)), make("ul", ...lines.map(line)))));
  }

  function start(which) {
    game = which;
    questions.take(kept()[game] || {});
    return ask({ answers: questions.answers() }, "anew");
  }
  for (const button of document.querySelectorAll("[data-kb-start]")) button.addEventListener("click", () => start(button.dataset.kbStart).then(() => questions.first()));
  if (page.chosen) start(page.chosen[1]);  /* a game's page links here with the game chosen */
  const [left] = page.chosen ? [] : Object.entries(kept()).find(([, answers]) => Object.keys(answers).length) || [];
  if (left && !navigator.connection?.saveData) start(left);  /* an unfinished position is restored at once */
  page.files(([{ name, text }]) => { game = game || document.querySelector("[data-kb-start]").dataset.kbStart; ask({ text, name }, "anew").then(() => title.focus({ preventScroll: true })); });
  on("save", () => page.save(last.text, game, "yaml"));
  on("over", () => { questions.take({}); keep(); ask({ answers: {} }, "anew").then(questions.first); });
})();
