/* Shows a shared deck: unpacks its link (kb/decks/share.py describes the format), reads its text, and draws its cards by type.
   It needs no checker, because it checks no rules. */
"use strict";
window.kbShared = (function () {
  const make = kbMake, MOST = 1_000_000, FOLDER = document.currentScript.src.replace(/[^/]*$/, "shared/");
  const waiting = {}, loaded = {};

  /* Data are loaded as scripts, because a page in a folder can load no other files. */
  function load(name) {
    loaded[name] ||= new Promise((done, failed) => {
      waiting[name] = done;
      document.head.append(make("script", { src: `${FOLDER}${name}.js`, error: () => failed(new Error(`${name}.js is missing next to this page.`)) }));
    });
    return loaded[name];
  }
  const words = (way, text) => waiting[`words-${way}`](text);
  /* Only own keys count, because a card's name could be `constructor`. */
  const cards = (game, told) => waiting[game]({ ...told, cards: Object.assign(Object.create(null), told.cards) });

  /* A link that contains no deck. */
  class Broken extends Error {}
  /* Unpacks the text in a link. The dictionary is put in front of the packed data, as a stored block of DEFLATE, and removed from the unpacked text. */
  async function unpacked(link) {
    const way = link[0], before = new TextEncoder().encode(await load(`words-${way}`));
    try { return await inflated(link, before); } catch (error) { throw window.DecompressionStream ? new Broken() : error; }
  }
  async function inflated(link, before) {
    const packed = Uint8Array.from(atob(link.slice(1).replace(/-/g, "+").replace(/_/g, "/")), (each) => each.charCodeAt(0));
    const size = before.length, stream = new Blob([new Uint8Array([0, size & 255, size >> 8, ~size & 255, (~size >> 8) & 255]), before, packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    const parts = [];
    let length = 0;
    for (let part = await stream.read(); !part.done; part = await stream.read()) {
      parts.push(part.value);
      length += part.value.length;
      if (length > MOST + size) throw new Error("too long for a deck");
    }
    return new TextDecoder("utf-8", { fatal: true }).decode((await new Blob(parts).arrayBuffer()).slice(size));
  }

  /* Parses a deck's text: { keys, cards: [[name or code, copies, place]] } */
  const bare = (text) => {
    const said = text.replace(/\s+#.*$/, "").trim(), quoted = /^(['"])(.*)\1$/.exec(said);
    return quoted ? quoted[2].replace(quoted[1] === "'" ? /''/g : /\\(["\\])/g, quoted[1] === "'" ? "'" : "$1") : said;
  };
  const PILES = ["cards", "side_deck", "spirit_deck", "slots", "side_slots"];
  function counted(text) {
    const [, first, name, last] = /^(?:(\d{1,2})\s*[x×]?\s+|(?=\D))(.+?)(?:\s+[x×](\d{1,2}))?$/.exec(text) || [];
    return name ? [name, Number(first || last || 1)] : [text, 1];
  }
  /* "Name: 2", in YAML or in braces. */
  function pair(text) {
    const [, quoted, plain, number] = /^(?:(".*?"|'.*?')|([^:]+|.+?)):\s*(\d{1,2})\s*$/.exec(text.replace(/\s+#.*$/, "")) || [];
    return number ? [bare(quoted || plain), Number(number)] : counted(bare(text));
  }
  const inside = (text) => (text.match(/(?:"[^"]*"|'[^']*'|[^,"'])+/g) || []).map((each) => each.trim()).filter(Boolean);
  function fromJson(deck) {
    const piles = [["slots", "cards"], ["sideSlots", "side_deck"]], list = (told) => (told && typeof told === "object" ? Object.entries(told) : []);
    const keys = Object.fromEntries(Object.entries(deck).filter(([, value]) => ["string", "number"].includes(typeof value)));
    return { keys: { ...keys, investigator: deck.investigator_code || deck.investigator_name }, cards: piles.flatMap(([key, pile]) => list(deck[key]).map(([code, copies]) => [code, Number(copies) || 1, pile])) };
  }
  function fromYaml(text) {
    const keys = {}, found = [];
    let at = "", deep = 0;
    for (const line of text.split(/\r?\n/)) {
      const top = /^([A-Za-z_][\w ]*?):(?:\s+(.*))?$/.exec(line), row = /^(\s+|(?=- ))(?:- )?\s*(.+)$/.exec(line);
      if (top) {
        at = top[1].toLowerCase().replace(/ /g, "_");
        deep = 0;
        const value = (top[2] || "").replace(/\s+#.*$/, "").trim(), flow = /^[[{](.*)[\]}]$/.exec(value);
        if (flow && PILES.includes(at)) found.push(...inside(flow[1]).map((each) => [...pair(each), at]));
        else keys[at] = bare(top[2] || "");
      } else if (row && PILES.includes(at) && !/^\s*#/.test(line)) {
        const indent = row[1].length;
        deep ||= indent || 1;
        if (indent <= deep) found.push([...pair(row[2]), at]);
      }
    }
    return { keys, cards: found };
  }
  function fromList(text) {
    const lines = text.split(/\r?\n/).map((line) => line.trim()).filter((line) => line && !line.startsWith("//")), found = lines.map((line) => /^(?:(\d{1,2})\s*[x×]?\s+(.+)|(.+?)\s+[x×](\d{1,2}))$/.exec(line));
    return { keys: { title: (lines[0] || "").replace(/^#\s*/, ""), lines: lines.filter((_line, at) => !found[at]) }, cards: found.filter(Boolean).map(([, first, name, other, last]) => [name || other, Number(first || last), "cards"]) };
  }
  function read(text) {
    if (text.trimStart().startsWith("{")) try { return fromJson(JSON.parse(text)); } catch { /* then it is not JSON */ }
    const list = fromList(text), yaml = /^[A-Za-z_][\w ]*:(\s|$)/m.test(text) ? fromYaml(text) : null;
    if (!yaml || !list.cards.length || yaml.cards.length) return yaml || list;
    return { keys: { ...list.keys, title: "", ...yaml.keys }, cards: list.cards };  /* a list of cards that also has lines with settings */
  }

  /* Returns the game of a deck, among the `games` of this site. */
  function gameOf({ keys }, games) {
    const said = String(keys.game || "").toLowerCase();
    return Object.keys(games).find((id) => said && (id === said || games[id].title.toLowerCase() === said)) || Object.keys(games).find((id) => !said && (games[id].marks.some((mark) => mark in keys) || (keys.lines && games[id].lists))) || "";
  }
  const folded = (name) => String(name).normalize("NFD").replace(/[\u0300-\u036f]/g, "").replace(/[’‘]/g, "'").replace(/[“”]/g, '"').toLowerCase().trim();
  /* Finds a card by its code, by its name, by "Name (2)", by "Name [01020]" or "Name (01020)". */
  function finder({ cards: known, people }) {
    const named = new Map();
    for (const card of [...Object.values(known), ...Object.values(people)]) named.set(folded(card[0]), [...(named.get(folded(card[0])) || []), card]);
    return (said) => {
      const [, name, mark] = /^(.*?)\s*[[(](\w+)[\])]$/.exec(said) || [null, said, ""], all = named.get(folded(said)) || named.get(folded(name)) || [];
      return known[said] || known[mark] || (mark && all.find((card) => String(card[3]) === mark)) || all.toSorted((a, b) => (a[3] ?? 0) - (b[3] ?? 0))[0] || null;
    };
  }

  const FIRST = ["asset", "event", "skill"], last = (type) => (type === "other" ? 9 : FIRST.includes(type) ? FIRST.indexOf(type) : 5);
  const plural = (type) => (/[sx]$/.test(type) ? type : /[^aeiou]y$/.test(type) ? `${type.slice(0, -1)}ies` : `${type}s`);
  const title = (text) => text[0].toUpperCase() + text.slice(1);
  function row([said, copies], card) {
    const [title, type, classes, level, cost, address, subtitle] = card || [said], name = subtitle && type !== "investigator" ? `${title}: ${subtitle}` : title;
    const first = (classes || "").split(" ")[0];
    return make("li.kb-shared__card", { style: first ? `--kb-own: var(--kb-${first})` : false }, make("span.kb-shared__copies", `${copies}×`), make("span", address ? make("a", { href: `${kbBase}/${address}` }, name) : name, ...(level ? [make("small", { title: `level ${level}` }, ` (${level})`)] : [])),
      make("small", classes || ""), make("small.kb-num", cost === undefined || cost === "" ? "" : cost === null ? "–" : cost === -2 ? "X" : String(cost)));
  }
  /* Draws the number of cards of each cost as bars. */
  function curve(held) {
    const costs = held.filter(([, card]) => card && typeof card[4] === "number" && card[4] >= 0), most = Math.max(0, ...costs.map(([, card]) => Math.min(card[4], 6)));
    if (costs.length < 3) return [];
    const bars = [...Array(most + 1).keys()].map((cost) => costs.filter(([, card]) => Math.min(card[4], 6) === cost).reduce((sum, [[, copies]]) => sum + copies, 0)), top = Math.max(...bars);
    return [make("figure.kb-shared__curve", { role: "img", "aria-label": `Cards by cost: ${bars.map((many, cost) => `${cost}${cost === 6 ? " or more" : ""}: ${many}`).join(", ")}` },
      ...bars.map((many, cost) => make("span", make("b", String(many)), make("i", { style: `height: ${Math.round(48 * many / top) || 1}px` }), make("small", cost === 6 ? "6+" : String(cost)))))];
  }

  /* Draws the page of a link in `host`, and returns the deck's name. Throws Broken for a link without a deck. */
  async function show(host, link, games, buttons) {
    const text = await unpacked(link), deck = read(text), game = gameOf(deck, games);
    const told = game ? await load(game).catch(() => null) : null, find = told ? finder(told) : () => null;
    const { keys } = deck, lines = Array.isArray(keys.lines) ? keys.lines : [];
    const whoSaid = keys[games[game]?.whose] || keys.investigator || keys.character || lines.find((line) => find(line)) || "";
    const person = whoSaid ? find(String(whoSaid)) : null, who = person ? person[0] : String(whoSaid).replace(/\s*[[(]\w+[\])]$/, "");
    const name = keys.name || (lines.length && keys.title !== whoSaid && keys.title) || who || "A deck";
    const held = deck.cards.map((each) => [each, find(each[0])]), sum = (listed) => listed.reduce((all, [[, copies]]) => all + copies, 0);
    const main = held.filter(([[, , pile]]) => pile === "cards" || pile === "slots"), types = [...new Set(main.map(([, card]) => card?.[1] || "other"))].sort((a, b) => last(a) - last(b));
    const sorted = (listed) => listed.toSorted(([a, one], [b, two]) => (one?.[3] ?? 0) - (two?.[3] ?? 0) || String(one?.[0] || a[0]).localeCompare(two?.[0] || b[0]));
    const part = (words, listed) => (listed.length ? [make("section", make("h3", `${words} `, make("span", String(sum(listed)))), make("ul", ...sorted(listed).map(([each, card]) => row(each, card))))] : []);
    const classes = person && person[2] ? person[2].split(" ") : [], facts = [who !== name && who, games[game]?.title, ...classes, main.length && `${sum(main)} cards`, (keys.xp || keys.experience) && `${keys.xp || keys.experience} XP`].filter(Boolean);
    host.style.setProperty("--kb-own", classes[0] ? `var(--kb-${classes[0]})` : "var(--kb-accent)");
    host.replaceChildren(make("header.kb-shared__head", make("h2", { tabindex: "-1" }, String(name)), make("p", facts.join(" · "))),
      make("div.kb-check__do", ...buttons({ text, game, who })), ...curve(main.filter(([, card]) => ["asset", "event"].includes(card?.[1]))),
      make("div.kb-shared__lists", ...types.flatMap((type) => part(title(plural(type)), main.filter(([, card]) => (card?.[1] || "other") === type))), ...part("Side deck", held.filter(([[, , pile]]) => pile.startsWith("side"))), ...part("Spirit deck", held.filter(([[, , pile]]) => pile === "spirit_deck"))),
      ...(main.length ? [] : [make("pre", text)]));
    host.hidden = false;
    return String(name);
  }
  /* Returns the text of a deck file in which names are added to the codes of cards. */
  async function named(game, text) {
    const told = await load(game).catch(() => null), find = told ? finder(told) : () => null;
    return text.replace(/^(\s+(?:- (?:\d+x )?)?['"]?(\w{5,6})['"]?(?::\s*\d+)?)[ \t]*$/gm, (line, before, code) => { const card = /^\d/.test(code) && find(code); return card ? `${before}  # ${card[0]}${card[3] ? ` (${card[3]})` : ""}` : line; })
      .replace(/^(investigator: ['"]?(\w{5,6})['"]?)[ \t]*$/m, (line, before, code) => { const card = find(code); return card ? `${before}  # ${card[0]}` : line; });
  }
  /* Loads the facts of a game's cards, by code or name. Empty if they cannot be loaded. */
  const facts = async (game) => (await load(game).catch(() => null))?.cards || {};
  return { words, cards, show, named, facts, Broken };
})();
