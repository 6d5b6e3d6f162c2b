/* Draws questions (kb/site/checker/questions.py) and returns the answers by key. An answer is kept while its question is not shown. */
"use strict";
/* Values stored in this browser. `set` returns true if the value was stored. */
window.kbStore = {
  get(key) { try { return JSON.parse(localStorage.getItem(key)); } catch { return null; } },
  set(key, value) { try { localStorage.setItem(key, JSON.stringify(value)); return true; } catch { return false; } },
};
/* Returns the time with seconds, to distinguish items of the same name. */
window.kbWhen = (when) => new Date(when).toLocaleString([], { dateStyle: "medium", timeStyle: "medium" });
/* The decks built on this device, by id. `keep` stores all of them, and returns true if the newest were stored. */
window.kbDrafts = {
  key: "kb-drafts",
  all: () => kbStore.get("kb-drafts") || {},
  listed: (all = kbDrafts.all()) => Object.entries(all).sort((a, b) => b[1].when - a[1].when),
  named: ({ title, when }) => `${title} (${kbWhen(when)})`,
  keep: (all) => kbStore.set("kb-drafts", Object.fromEntries(kbDrafts.listed(all).slice(0, 12))),
};
/* Where to return a deck that is being edited on "Build a deck" in this tab: the page's `url`, the name of its stored answers (`typed`), the `key` of the answer, and
   the deck's owner. */
window.kbComing = {
  get() { try { return JSON.parse(sessionStorage.getItem("kb-coming")); } catch { return null; } },
  set(to) { try { sessionStorage.setItem("kb-coming", JSON.stringify(to)); } catch { /* then there is no way back */ } },
};
/* The answers after a scenario, passed from "Rebuild the party" to a campaign. */
window.kbEvening = {
  get() { try { return JSON.parse(sessionStorage.getItem("kb-evening")); } catch { return null; } },
  set(told) { try { if (told) sessionStorage.setItem("kb-evening", JSON.stringify(told)); else sessionStorage.removeItem("kb-evening"); } catch { /* then the questions must be answered again */ } },
};
/* Returns a space and a link to the rule of a problem. */
window.kbRule = (links) => links.filter(({ url }) => url).slice(0, 1).flatMap(({ title, url }) => [" ", kbMake("a", { href: `${kbBase}/${url}` }, title)]);
/* Returns a small link to a card's page, if the card has one. */
window.kbAbout = (name, url) => (url ? [kbMake("a.kb-about", { href: `${kbBase}/${url}`, "aria-label": `About ${name}` })] : []);
/* Returns a problem as an element: severity, message, fix, rule, and the given buttons. */
window.kbFinding = ({ severity, message, fix, links }, ...buttons) => kbMake(`li.kb-build__finding.kb-build__finding--${severity}`, kbMake("strong", { error: "Breaks a rule: ", warning: "Careful: ", note: "Note: " }[severity]), message,
  ...(fix ? [" ", kbMake("em", fix)] : []), ...kbRule(links), ...buttons.flatMap((button) => [" ", button]));
/* Returns true if two words differ only by one letter (added, missing or changed), or by two swapped letters. */
const isSlip = (one, other) => {
  const at = [...`${one} `].findIndex((letter, place) => letter !== other[place]), [x, y] = [one.slice(at), other.slice(at)];
  return at < 0 || x.slice(1) === y.slice(1) || x === y.slice(1) || x.slice(1) === y || (x[0] === y[1] && x[1] === y[0] && x.slice(2) === y.slice(2));
};
/* Returns the items that contain all words: first the item with this name, then those that begin with the first word. If there are none, returns items
   with similar words. */
const plain = (text) => text.toLowerCase().normalize("NFD").replace(/[\u0300-\u036f’'"“”.,!?]/g, "");
window.kbFitting = (list, words, nameOf, textOf = nameOf) => {
  const late = (each) => { const name = plain(nameOf(each)); return name === words.join(" ") ? 0 : words.length && name.startsWith(words[0]) ? 1 : words.every((word) => ` ${name}`.includes(` ${word}`)) ? 2 : 3; };
  const those = (fits) => list.filter((each) => { const text = plain(textOf(each)); return words.every((word) => fits(word, text)); }).sort((a, b) => late(a) - late(b));
  const found = those((word, text) => text.includes(word));
  return found.length ? found : those((word, text) => text.includes(word) || (word.length > 3 && text.split(/\s+/).some((each) => isSlip(word, each))));
};
/* Makes the content of `box` equal to that of `made`, but keeps existing elements, so that the focus, the field in which the user is `typing` and open
   folds stay. Elements are matched by data-key or id. */
const keyOf = ({ id, dataset }) => dataset?.key || id || "", gone = ({ nextSibling: next }, node) => { node.remove(); return next; };
window.kbMorph = (box, made, typing = null) => {
  let at = box.firstChild;
  for (const fresh of [...made.childNodes]) {
    let same = at;
    while (same && (same.nodeName !== fresh.nodeName || keyOf(same) !== keyOf(fresh))) same = keyOf(fresh) || !keyOf(same) ? same.nextSibling : null;
    if (!same) { box.insertBefore(fresh, at); continue; }
    for (; at !== same; at = gone(at, at));
    at = same.nextSibling;
    if (!fresh.attributes) { same.data = fresh.data; continue; }
    for (const { name } of [...same.attributes]) if (name !== "open" && !fresh.hasAttribute(name)) same.removeAttribute(name);
    for (const { name, value } of fresh.attributes) same.setAttribute(name, value);
    for (const event of ["onclick", "oninput", "onchange"]) same[event] = fresh[event];
    kbMorph(same, fresh, typing);
    if (same === typing || same.value === fresh.value) continue;
    same.value = fresh.value;
    if (same === document.activeElement && same.type === "number") same.select();
  }
  while (at) at = gone(at, at);
};
/* Returns a function that scrolls the element `at` back to its present position on the screen. */
window.kbSteady = (at) => {
  const top = () => at.getBoundingClientRect().top, was = top();
  return () => { if (at.checkVisibility()) scrollBy({ top: top() - was, behavior: "instant" }); };
};
/* Makes a search field with offers. `find` returns the matches for the words, and the offers that are always shown. `draw` makes the button of an offer;
   Enter presses the first one. Returns a function that updates the offers. `then` is called with the shown offers. */
window.kbOffering = (input, offers, most, find, draw, none, then) => {
  function offer() {
    const words = plain(input.value.trim()).split(/\s+/).filter(Boolean), [found, more = []] = find(words), shown = [...found.slice(0, most), ...more];
    const said = found.length > most ? `${found.length - most} more: keep typing.` : words.length && !shown.length ? none() : "";
    kbMorph(offers, kbMake("ul", ...shown.map((each) => kbMake("li", draw(each), ...kbAbout(each.name, each.shown))), ...(said ? [kbMake("li.kb-small", said)] : [])));
    then?.(shown);
  }
  input.addEventListener("input", offer);
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    offers.querySelector("button")?.click();
  });
  return offer;
};
/* Makes a small button; and buttons that fix an unreadable text: they call `use` with the fixed text. */
window.kbPlain = (words, click, attributes) => kbMake("button.kb-check__plain", { click, ...attributes }, words);
window.kbMends = ({ mends = [] }, use) => mends.map(({ words, text }) => kbPlain(words, () => use(text)));
/* Lists the questions that must be answered first. */
window.kbLacking = ({ questions }) => `Still to answer or fix: ${questions.filter(({ wrong }) => wrong).map(({ text }) => `“${text}”`).join(", ")}.`;
/* Makes a button that asks `really` at the first press and acts at the second. `kbCalm` resets its label after the action. */
window.kbSure = ({ target }, really, act) => {
  if (target.dataset.sure) return act();
  target.dataset.sure = "yes";
  target.textContent = really;
  target.ariaLabel = null;
  return undefined;
};
window.kbCalm = (button, words) => { button.textContent = words; delete button.dataset.sure; };
/* After a trade's button (number `at`) was tapped `top` pixels from the top, scrolls the button with this label, or the next one, to the same height. */
window.kbStay = (buttons, at, top, label) => {
  const its = buttons.find((each) => each.ariaLabel === label) || buttons[Math.min(at, buttons.length - 1)];
  its?.focus({ preventScroll: true });
  if (its) scrollBy({ top: its.getBoundingClientRect().top - top, behavior: "instant" });
  return its;
};
/* Draws the questions in `host`, and calls `changed` after each answer. Several forms on a page are numbered consecutively, so that ids are unique. */
let kbQuestionsAsked = 0;
/* `game` returns the game whose decks are offered. `here` is where a deck that is edited on "Build a deck" returns to. */
window.kbQuestions = function (host, changed, game = () => "", here = null) {
  const make = kbMake, FEW = 6, SOME = 12, MOST_SHOWN = 8;
  let answers = {}, drawn = new Map(), order = [], answered = "", unseen = [];  /* unseen: questions that appeared after the user had left the form */
  let finds = {}, people = new Map();  /* finds: words that find choices besides their names; people: the keys of the questions about each person */

  function answer(key, text) {
    answered = key;
    unseen = [];
    if (text) answers[key] = text; else delete answers[key];
    folds();
    changed();
  }

  /* Leaving the page while typing counts as an answer. */
  for (const leaving of ["pagehide", "popstate"]) addEventListener(leaving, () => { if (host.contains(document.activeElement)) document.activeElement.dispatchEvent(new Event("change")); });

  /* Makes a question: its element, and a function that shows an answer in it */
  function field(asked, id, set) {
    let wait = 0;  /* questions that depend on a required answer or on a number are updated while it is typed */
    /* With `lines`, each answer has its own line and may contain a comma. */
    const input = make(asked.lines ? "textarea" : "input", { id, type: !asked.lines && (asked.kind === "day" ? "date" : "text"), rows: "2", autocomplete: "off", placeholder: asked.lines ? "One per line" : asked.default, maxlength: "4000",
      inputmode: asked.kind === "number" && !asked.many && "numeric", change: () => { clearTimeout(wait); set(input.value.trim()); },
      input: (asked.needed || asked.kind === "number") && (() => { clearTimeout(wait); wait = setTimeout(() => set(input.value.trim()), 400); }) });
    return { part: input, input, show: (text) => { input.value = text === asked.default ? "" : text; } };
  }
  function area(asked, id, set) {
    const input = make("textarea", { id, rows: "4", autocomplete: "off", change: () => { tell(); set(input.value); } });
    const open = make("input", { type: "file", class: "kb-hidden", accept: ".yaml,.yml,.json,.txt,.deck,.o8d,text/*", "aria-label": `Open a file: ${asked.text}`,
      change: async () => { if (open.files[0]) take(await open.files[0].text(), open.files[0].name); open.value = ""; } });
    const take = (text, name) => { input.value = text; tell(name); set(text); };
    const doing = make("div.kb-check__do"), said = make("summary"), part = make("div", doing, make("details", said, input));
    const tell = (name) => {
      if (from) from.value = String(drafts.findIndex(({ text }) => text === input.value));  /* -1: no draft has this text */
      const named = kbStore.get("kb-named") || {};
      if (name) kbStore.set("kb-named", Object.fromEntries([...Object.entries(named), [input.value, name]].slice(-24)));  /* shown again after a reload */
      said.dataset.given = input.value.trim() && `Given: ${name || named[input.value] || (from?.value > -1 && from.selectedOptions[0].text) || "pasted text"}`;
      said.textContent = said.dataset.given || "As text";
    };
    const build = make("a.kb-check__plain", { click: () => here && kbComing.set({ ...here(), key: asked.key, of: asked.of }) }, "Change it in the deck builder");
    const link = (share) => { if (share) doing.prepend(build); else build.remove(); build.href = `${kbBase}/build.html#deck=${share}&now`; };
    let from = null;
    const [first] = asked.of.split(" ");  /* a campaign may use first names */
    const drafts = kbDrafts.listed().map(([, draft]) => draft).filter((each) => (!game() || each.game === game()) && (!first || each.who?.split(" ")[0] === first));
    if (drafts.length) {
      from = make("select", { "aria-label": `A deck built on this device: ${asked.text}`, change: () => { const draft = drafts[from.value]; take(draft ? draft.text : "", draft && kbDrafts.named(draft)); } }, make("option", { value: "-1" }, "a deck built here …"), ...drafts.map((draft, at) => make("option", { value: String(at) }, kbDrafts.named(draft))));
      doing.append(from);
    }
    doing.append(make("label.kb-check__file", open, make("span", "Open a file")));
    return { part, input, link, show: (text) => { input.value = text; tell(); } };
  }
  function choice(asked, list, id, set) {
    const none = asked.default ? [] : [make("option", { value: "" }, asked.needed ? "Choose …" : "–")];
    const input = make("select", { id, change: () => set(input.value) }, ...none, ...list.map((each) => make("option", { value: each }, each)));
    return { part: input, input, show: (text) => { input.value = text; } };
  }
  function boxes(asked, list, id, set) {
    const type = asked.many ? "checkbox" : "radio", named = asked.many || asked.needed || asked.default ? list : ["", ...list];
    const inputs = named.map((each) => make("input", { type, name: id, value: each, change: () => set(chosen()) }));
    const chosen = () => inputs.filter((each) => each.checked).map((each) => each.value).join("\n");
    const part = make("div.kb-asked__choices", ...inputs.map((each) => make("label", each, make("span", each.value || "–"))));
    const show = (text) => { const said = text.split("\n"); for (const each of inputs) each.checked = said.includes(each.value); };
    return { part, inputs, show };
  }
  /* Makes a question with several choices from a long list. Typing finds choices. The chosen ones are listed below with their copies. */
  function picker(asked, list, id, set) {
    const input = make("input", { id, type: "search", autocomplete: "off", placeholder: "Type part of the name" });
    const offers = make("ul.kb-offers"), held = make("ul.kb-held"), chosen = new Map();
    const named = ([name, copies]) => (copies > 1 ? `${copies}x ${name}` : name);
    const button = (words, label, click) => make("button", { "aria-label": label, click }, words);
    /* Adds `more` copies of a name. The focus stays on the button if the button remains. */
    function count(name, more, label) {
      chosen.set(name, (chosen.get(name) || 0) + more);
      if (!chosen.get(name)) chosen.delete(name);
      hold();
      set([...chosen].map(named).join("\n"));
      ([...held.querySelectorAll("button")].find((each) => each.ariaLabel === label) || input).focus();
    }
    function hold() {
      const signs = (name) => [[-1, "−", `Remove one ${name}`], [1, "+", `One more ${name}`]].slice(0, asked.copies ? 2 : 1);
      held.replaceChildren(...[...chosen].map((each) => make("li", make("span", named(each)), ...signs(each[0]).map(([more, sign, label]) => button(sign, label, () => count(each[0], more, label))))));
    }
    const offer = kbOffering(input, offers, MOST_SHOWN, (words) => [words.length ? kbFitting(list, words, (name) => name, (name) => `${name} ${finds[name] || ""}`) : []],
      (name) => button(finds[name] ? make("span", `Add ${name} `, make("small", finds[name])) : `Add ${name}`, `Add ${name}`, () => { input.value = ""; offer(); count(name, 1); }), () => "Nothing with that name.");
    /* Adds a typed name that was not added yet, if exactly one card matches it. Otherwise reports it. */
    const left = () => {
      const typed = input.value.trim(), buttons = [...offers.querySelectorAll("button")], fits = buttons.filter((each) => plain(each.ariaLabel) === plain(`Add ${typed}`));
      const [one, ...others] = fits.length ? fits : buttons;
      if (typed && one && !others.length) one.click();
      return input.value.trim() && `“${typed}” is not added yet. Choose a match or clear the field.`;
    };
    const show = (text) => {
      chosen.clear();
      for (const [, copies, name] of text.split("\n").map((each) => /^(?:(\d+)x )?(.+)$/.exec(each)).filter(Boolean)) chosen.set(name, Number(copies || 1));
      hold();
    };
    return { part: make("div", held, input, offers), input, show, left };
  }
  function build(asked, list) {
    const id = `kb-asked-${++kbQuestionsAsked}`, set = (text) => answer(asked.key, text), wrong = make("p.kb-asked__wrong", { id: `${id}-wrong`, hidden: true });
    const one = asked.kind === "deck" ? area(asked, id, set) : !list ? field(asked, id, set)
      : asked.many ? (list.length <= SOME && !asked.copies ? boxes(asked, list, id, set) : picker(asked, list, id, set))
        : list.length <= FEW ? boxes(asked, list, id, set) : choice(asked, list, id, set);
    const words = asked.group && asked.tail ? [asked.start, make("span.kb-hidden", asked.tail)] : [asked.text];
    if (asked.note) one.part = make("div", one.part, make("p.kb-small", asked.note, ...(asked.rule ? [" ", make("a", { href: `${kbBase}/${asked.rule}` }, "The rule")] : [])));
    const node = one.inputs ? make("fieldset.kb-asked", make("legend", ...words), one.part, wrong)
      : make("div.kb-asked", make("label", { for: id }, ...words), one.part, wrong);
    if (asked.kind === "number" && !asked.many) node.classList.add("kb-asked--number");
    const inputs = one.inputs || [one.input];
    for (const each of inputs) each.setAttribute("aria-describedby", wrong.id);
    const say = (text, ...buttons) => {
      wrong.replaceChildren(text, ...buttons.flatMap((each) => [" ", each]));
      if (text) wrong.hidden = false;  /* the line stays visible when its text is removed, so that nothing below it moves */
      for (const each of inputs) each.ariaInvalid = text ? "true" : null;
    };
    if (one.left) one.input.addEventListener("input", () => say(""));
    return { node, say, show: one.show, link: one.link, left: one.left, focused: () => node.contains(document.activeElement) };
  }

  /* While a finger touches the screen, nothing under it moves. */
  let pressed = false, waits = null;
  addEventListener("pointerdown", () => { pressed = true; }, true);
  for (const up of ["pointerup", "pointercancel"]) addEventListener(up, () => { pressed = false; setTimeout(() => { if (waits) draw(...waits); }, 50); }, true);
  /* A closed fold shows its answers in its heading, and the heading of a person shows the answers about that person. */
  function folds() {
    for (const card of host.querySelectorAll(".kb-asked__person")) {
      const said = people.get(card.dataset.name).filter((key) => answers[key]).map((key) => (drawn.get(key)?.deck ? "a deck of their own" : answers[key].split("\n").join(", ")));
      card.querySelector("summary small").textContent = said.join(" · ");
    }
    for (const fold of host.querySelectorAll(".kb-asked__fold")) {
      const [said, ...inside] = [...fold.querySelectorAll("summary")];
      said.lastChild.textContent = inside.map((each) => each.dataset.given).filter(Boolean).join(", ");
    }
  }
  /* Draws all questions. The question that was just answered keeps its position on the screen. */
  function draw(told, anew) {
    if (pressed) { waits = [told, anew || waits?.[1]]; return; }
    waits = null;
    const stay = kbSteady(!anew && drawn.get(answered)?.node || host);
    fill(told, anew);
    folds();
    if (!anew) stay();
  }
  /* Groups the questions about each person at the position of the first of them. */
  function byPerson(questions) {
    const about = questions.filter(({ of, fold, group, kind }) => of && !fold && (!group || group === of || kind === "deck"));
    const found = Map.groupBy(about, ({ of }) => of);
    if (![...found.values()].some((several) => several.length > 1)) return questions;
    const first = questions.indexOf(about[0]), apart = new Set(about);
    const those = [...found].flatMap(([person, several]) => several.map((asked) => ({ ...asked, person, group: person })));
    return [...questions.slice(0, first), ...those, ...questions.slice(first).filter((asked) => !apart.has(asked))];
  }
  function fill({ lists, questions: told, finds: found }, anew) {
    const noted = new Set(), once = (asked) => (noted.has(asked.note) ? { ...asked, note: "", rule: "" } : noted.add(asked.note) && asked);
    const questions = byPerson(told).map(once);  /* a note shared by several questions is shown below the first */
    finds = found || {};
    people = Map.groupBy(questions.filter(({ person }) => person), ({ person }) => person);
    for (const [person, several] of people) people.set(person, several.map(({ key }) => key));
    if (anew) drawn = new Map();
    const now = questions.map((asked) => {
      const list = asked.list === null ? null : lists[asked.list], spec = JSON.stringify({ ...asked, typed: "", wrong: "", share: "", list });
      if (!anew && !drawn.has(asked.key) && !host.contains(document.activeElement)) unseen.push(asked.key);
      if (!drawn.has(asked.key) || drawn.get(asked.key).spec !== spec) drawn.set(asked.key, { ...build(asked, list), spec, deck: asked.kind === "deck" });
      const held = drawn.get(asked.key);
      held.link?.(asked.share);
      if (anew || !held.focused()) held.show(Object.hasOwn(answers, asked.key) ? answers[asked.key] : asked.kind === "deck" ? "" : asked.default);
      held.say(asked.wrong);
      return [asked.group, held.node, asked.fold, anew && Object.hasOwn(answers, asked.key), asked.person];
    });
    if (now.length === order.length && now.every(([, node], at) => node === order[at])) return;
    const active = document.activeElement, groups = [];
    for (const [name, node, fold, told, person] of now) {
      if (groups.at(-1)?.name !== name || groups.at(-1).person !== person) groups.push({ name, fold, person, nodes: [], told: false });
      groups.at(-1).nodes.push(node);
      groups.at(-1).told ||= told;
    }
    const folded = [...host.querySelectorAll("details[data-name]")], open = new Set(folded.filter((each) => each.open).map((each) => each.dataset.name));
    /* Opens the questions about everybody if there are two people. If there are more, opens only the first, those that the user opened or is answering, and
       those with a problem. */
    const before = (person) => (anew ? null : folded.find((each) => each.dataset.name === person));
    const isKept = (card, person) => card.dataset.hand || card.contains(active) || people.get(person).some((key) => answers[key]);
    const isOpen = (person, nodes) => {
      const card = before(person), usual = people.size < 3 || person === people.keys().next().value;
      return (card && isKept(card, person) ? card.open : usual) || nodes.some((each) => each.querySelector("[aria-invalid=true]"));
    };
    const byHand = ({ currentTarget }) => { currentTarget.parentElement.dataset.hand = "yes"; };
    host.replaceChildren(...groups.flatMap(({ name, fold, person, nodes, told }) => (!name ? nodes
      : person ? [make("details.kb-asked__person", { "data-name": name, "data-hand": before(name)?.dataset.hand || false, open: isOpen(name, nodes) }, make("summary", { click: byHand }, make("strong", name), " ", make("small")), ...nodes)]
      : fold ? [make("details.kb-asked__fold", { "data-name": name, open: told || open.has(name) || nodes.some((each) => each.querySelector("[aria-invalid]")) }, make("summary", name, " ", make("small")), ...nodes)]
        : [make("section.kb-asked__group", { role: "group", "aria-label": name }, make("h3", name), ...nodes)])));
    order = now.map(([, node]) => node);
    if (host.contains(active)) active.focus({ preventScroll: true });
  }
  function lead(field) {
    for (let fold = field?.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    field?.focus();
  }
  return {
    draw,
    answers: () => answers,
    take: (found) => { answers = { ...found }; },
    /* Returns true if no typed name is left to add. Otherwise the field of the name reports it. */
    settled() {
      const open = [...drawn.values()].filter((held) => {
        const said = host.contains(held.node) && held.left?.();
        if (said) held.say(said);
        return said;
      });
      if (open.length) lead(open[0].node.querySelector("input"));
      return !open.length;
    },
    /* Moves to the questions that the last answer added while the user was about to press a button. Returns true if there were any. */
    news() {
      const [key] = unseen;
      unseen = [];
      if (key) lead(drawn.get(key).node.querySelector("input, select, textarea"));
      return Boolean(key);
    },
    /* Shows the problem of an answer, with buttons that fix it. */
    say(key, text, ...buttons) {
      const held = drawn.get(key);
      held.say(text, ...buttons);
      lead(held.node.querySelector("textarea"));
      held.node.querySelector(".kb-asked__wrong").scrollIntoView({ block: "center" });
    },
    first: (key) => lead((key ? drawn.get(key).node : host).querySelector(key ? "input, select, textarea" : "[aria-invalid]") || host.querySelector("input, select, textarea")),
  };
};
