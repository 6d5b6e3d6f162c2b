/* Which words of a question are a card's name: the same steps as kb/retrieval/names.py. Nothing here touches the page. */
"use strict";
(function (root) {
  const { words, stemmed } = root.kbText, { told, shown, isEntry } = root.kbParts;

  /* How likely a word is of a card's name when `about` of the `entries` that have it have it as one of their cards. */
  const share = (about, entries) => (about + 1) / (entries + 1);
  /* The words of a question that may be of a card's name in one of the games, with how likely they are. */
  function likely(index, query, games) {
    const { likely: least, named } = index.rules.names, found = new Map();
    for (const word of query.stems) {
      const counts = new Map(games.map(({ id }) => [id, { about: 0, entries: 0, bears: false }])), { numbers, places } = query.held.get(word);
      numbers.forEach((number, at) => {
        const { game, standing, shape } = told(index, number), count = counts.get(game), isNamed = named.includes(standing);
        const bears = isNamed && places[at].some((text) => text < shape.called);
        if (bears) count.bears = true;
        if (!isEntry(standing)) return;
        count.entries++;
        if (bears || places[at].some((text) => text >= shape.questions && text < shape.body)) count.about++;
      });
      const held = [...counts.values()].filter(({ about, entries, bears }) => bears && share(about, entries) >= least);
      if (!held.length) continue;
      const value = share(held.reduce((sum, { about }) => sum + about, 0), [...counts.values()].reduce((sum, { entries }) => sum + entries, 0));
      if (value >= least) found.set(word, value);
    }
    return found;
  }
  /* Which of two [how many words, share of the name, words] is more. */
  function compared(a, b) {
    if (a[0] !== b[0] || a[1] !== b[1]) return a[0] - b[0] || a[1] - b[1];
    const at = a[2].findIndex((word, which) => word !== b[2][which]);
    return at < 0 ? 0 : a[2][at] < b[2][at] ? -1 : 1;
  }
  /* The cards that a question names: their words in it and the documents that bear the name, those first of which it has most words. */
  function namesIn(index, query, games, inside) {
    const { named, partly, half, names: wanted, bearers } = index.rules.names, sure = likely(index, query, games), bearing = new Map();
    if (!sure.size) return [];
    const add = (word) => query.held.get(word).numbers.forEach((number, at) => {
      if (inside && !inside.has(number)) return;
      if (!bearing.has(number) && sure.has(word) && named.includes(told(index, number).standing)) bearing.set(number, new Map());
      const texts = bearing.get(number);
      if (texts) for (const text of query.held.get(word).places[at]) texts.set(text, [...(texts.get(text) || []), word]);
    });
    for (const word of [...sure.keys(), ...query.stems.filter((word) => !sure.has(word))]) add(word);
    let fitting = [];
    for (const [number, texts] of bearing) {
      const { shape } = told(index, number);
      let best = null;
      for (const [text, held] of texts) {
        if (text >= shape.names) continue;
        const part = held.length / shape.sizes[text], fit = [held.length, part, held.sort()];
        if (part !== 1 && (part < half || !held.every((word) => (sure.get(word) || 0) >= partly))) continue;
        if (!best || fit[0] > best[0] || (fit[0] === best[0] && (part > best[1] || (part === best[1] && text < best[3])))) best = [...fit, text];
      }
      if (best) fitting.push([best, number]);
    }
    const found = [];
    while (fitting.length && found.length < wanted) {
      const first = fitting.reduce((most, [best]) => (compared(best, most) > 0 ? best : most), fitting[0][0]);
      const same = fitting.filter(([best]) => !compared(best, first)).map(([, number]) => number);
      found.push({ words: first[2], bearers: same.sort((a, b) => a - b).slice(0, bearers) });
      fitting = fitting.filter(([best]) => !best[2].some((word) => first[2].includes(word)));
    }
    return found;
  }
  /* The index words of a card's types and traits (of a character's page none). */
  async function typesOf(index, number) {
    const { standing, sentences } = await shown(index, number);
    if (standing !== "card" || !sentences.length) return [];
    const plain = sentences[0].split(", ").filter((piece) => !/\p{Nd}/u.test(piece)).join(" ");
    return words(plain).filter((word) => !index.stop.has(word)).map(stemmed);
  }
  /* What a hit gains that speaks of the named card, when the rest of the question has `length` words. */
  function favour(index, length) {
    const { favour: once, length: each, long } = index.rules.names;
    return Math.exp(once + each * Math.min(length, long) / long);
  }
  /* The share of that which a document has that speaks of the cards of which the question has these words. */
  function partIn(index, { standing, shape }, places, said) {
    const { named, facts } = index.rules.names;
    if (named.includes(standing)) return facts;
    const about = new Set(said.flatMap((word) => (places.get(word) || []).filter((text) => text >= shape.questions && text < shape.body)));
    return (about.size + 1) / (shape.body - shape.questions + 1);
  }

  /* The names of which a question, in folded words, asks the meaning, also in the other of singular and plural (kb/retrieval/meaning.py). */
  function namesMeant(index, typed) {
    const { frames, longest, ends } = index.rules.meaning;
    if ([...typed].length > longest) return [];
    for (const frame of frames) {
      const found = new RegExp("^(?:" + frame + ")$", "u").exec(typed);
      if (!found) continue;
      const name = found[1], [end, instead] = ends.find(([end]) => name.endsWith(end));
      return [name, name.slice(0, name.length - end.length) + instead];
    }
    return [];
  }

  root.kbNames = { namesIn, typesOf, favour, partIn, namesMeant };
})(typeof window === "undefined" ? globalThis : window);
