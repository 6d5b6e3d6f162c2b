/* On a bane's page: the exact chances of the characters of the campaign in this browser, with the added dice. */
"use strict";
(function () {
  const section = document.querySelector("[data-kb-odds]"), make = kbMake;
  const stored = (key) => { try { return JSON.parse(localStorage.getItem(key)); } catch { return null; } };
  const { set, checks, all } = JSON.parse(section.dataset.kbOdds);
  const keys = () => { try { return Object.keys(localStorage); } catch { return []; } };
  const campaigns = keys().filter((key) => key.startsWith("kb-campaign-")).map(stored).filter((held) => held?.dice?.place === set);
  const [held] = campaigns.sort((a, b) => b.when - a.when);
  if (!held) return;

  /* The number of ways in which dice add up to 0, 1, 2 and so on (kb/games/pathfinder/scenarios/odds.py). */
  const ways = (dice) => dice.reduce((sums, sides) => {
    const longer = Array(sums.length + sides).fill(0);
    sums.forEach((number, total) => { for (let face = 1; face <= sides; face += 1) longer[total + face] += number; });
    return longer;
  }, [1]);
  function chance(dice, bonus, difficulty) {
    const sums = ways(dice), sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
    return sum(sums.slice(Math.max(0, difficulty - bonus))) / sum(sums);
  }
  /* Parses dice and numbers such as "2d6+1". Returns null if they are unreadable, or too many for an exact count. */
  function read(text) {
    const found = { dice: [], bonus: 0 }, bare = text.replace(/\s/g, "").toLowerCase(), signed = /^[+-]|^$/.test(bare) ? bare : `+${bare}`;
    if (!/^(\+\d?d(4|6|8|10|12|20)|[+-]\d{1,2})*$/.test(signed)) return null;
    for (const [, sign, many, sides, plain] of signed.matchAll(/([+-])(?:(\d?)d(\d+)|(\d+))/g)) {
      if (sides) found.dice.push(...Array(Number(many || 1)).fill(Number(sides)));
      else found.bonus += Number(sign + plain);
    }
    return found.dice.length <= 10 ? found : null;
  }
  const percent = (share) => `${Math.round(share * 1000) / 10}%`;
  const difficulty = ({ difficulty: printed, plus }) => printed + plus * held.dice.adventure;
  function best({ skills, ...check }, rolls, added) {
    const mine = skills.filter((skill) => rolls[skill]).map((skill) => [`${skill} d${rolls[skill].sides}${rolls[skill].bonus ? ` + ${rolls[skill].bonus}` : ""}`, rolls[skill]]);
    const tried = (mine.length ? mine : [["a d4, without the skill", { sides: 4, bonus: 0 }]]).map(([words, { sides, bonus }]) => [chance([sides, ...added.dice], bonus + added.bonus, difficulty(check)), words, sides + 2 * bonus]);
    return tried.sort((a, b) => b[0] - a[0] || b[2] - a[2])[0];  /* if the chances are equal, choose the better roll */
  }
  const body = make("tbody"), field = make("input", { type: "text", size: "8", placeholder: "2d6+1", autocomplete: "off", spellcheck: "false", "aria-describedby": "kb-odds-wrong" });
  const wrong = make("span", { id: "kb-odds-wrong", role: "status" });
  function draw() {
    const added = read(field.value);
    wrong.textContent = added ? "" : "Enter dice and numbers, such as 2d6+1, with at most ten dice.";
    field.setAttribute("aria-invalid", String(!added));
    if (!added) return;
    body.replaceChildren(...held.dice.members.map(({ who, rolls }) => {
      const found = checks.map((check) => best(check, rolls, added)), cells = found.map(([share, words]) => `${percent(share)} with ${words}`);
      if (all) cells.push(percent(found.reduce((product, [share]) => product * share, 1)));
      return make("tr", make("th", { scope: "row" }, who), ...cells.map((words) => make("td", words)));
    }));
    kbHeaded(table, body.rows);
  }
  const heads = ["Character", ...checks.map((check) => `${check.words} ${difficulty(check)}`), ...(all ? ["All checks"] : [])];
  const table = make("table.kb-table", make("thead", make("tr", ...heads.map((words) => make("th", { scope: "col" }, words)))), body);
  section.append(make("h2", `${held.title}: chances of success`), make("p.kb-small", `Each character uses their best skill with its feats. The adventure deck number is ${held.dice.adventure}. The characters come from the campaign in this browser.`),
    make("p", make("label", "Dice and numbers added ", field), " ", wrong), make("div.kb-tablewrap", { tabindex: "0", role: "region", "aria-label": "Your party's chances" }, table));
  field.addEventListener("input", draw);
  draw();
  section.hidden = false;
})();
