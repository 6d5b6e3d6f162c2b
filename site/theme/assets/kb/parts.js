/* What the search reads: what comes with the first question, and parts that are loaded as queries need them. kb/site/searchdata.py says
   what is in them. Nothing here touches the page. */
"use strict";
(function (root) {
  const { stemmed } = root.kbText, LETTERS = new Map([..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].map((letter, at) => [letter, at]));

  /* An index of `data`, what the first question needs; `part` gives a part by its name (a promise of it). */
  function open(data, part) {
    const { rules, documents } = data, stop = new Set(rules.stop), kept = new Map(), standing = unrolled(documents.standing);
    const typed = data.words.flatMap((part) => Object.entries(part)).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)), place = new Map(Object.entries(data.known));
    data.words.forEach((part, at) => { for (const word of Object.keys(part)) if (!stop.has(word)) place.set(stemmed(word), at); });
    let size = 0;
    const games = data.games.map(([id, length]) => {
      size += length;
      return { id, size: length, start: size - length };
    });
    const within = new Map(), folder = unrolled(documents.folders), scopes = folder.map((each) => {
      if (!within.has(each)) within.set(each, new Set(prefixes(each)));
      return within.get(each);
    });
    for (const [number, further] of Object.entries(documents.scopes)) scopes[number] = new Set([...scopes[number], ...further]);
    const shapes = documents.shapes.map((shape) => shaped(rules, shape));
    return { rules, vocabulary: new Map(typed), place, games, size, standing, folder, scopes, shape: unrolled(documents.shape).map((number) => shapes[number]),
      spoiler: documents.spoiler, edition: unrolled(documents.edition), topic: new Map(documents.topics.flatMap((numbers, at) => numbers.map((number) => [number, at]))), counterparts: documents.counterparts, parts: documents.parts, likeness: documents.likeness, letters: null,
      stop, often: new Map(Object.entries(data.often)),
      synonyms: Object.entries(data.synonyms), called: Object.entries(data.called), places: data.places, editions: data.editions, inside: new Map(), english: null, ofEnglish: data.english,
      part(name) {
        if (!kept.has(name)) kept.set(name, Promise.resolve(part(name)).catch((error) => { kept.delete(name); throw error; }));
        return kept.get(name);
      } };
  }
  /* Whether some document holds a word. */
  const isKnown = (index, word) => index.place.has(stemmed(word));

  function unrolled(runs) {
    const found = [];
    for (let at = 0; at < runs.length; at += 2) for (let times = runs[at + 1]; times > 0; times--) found.push(runs[at]);
    return found;
  }
  function prefixes(folder) {
    const parts = folder.split("/");
    return parts.map((_part, at) => parts.slice(0, at + 1).join("/"));
  }
  /* Where each text of a document of this shape begins, and what a word weighs in it. */
  function shaped(rules, [counts, length, sizes]) {
    const factor = 1 - rules.length_share + rules.length_share * length / rules.usual_length, weights = [];
    counts.forEach((count, kind) => { for (let times = 0; times < count; times++) weights.push(Number((rules.weights[kind] / factor).toFixed(4))); });
    const [title, alias, part, asked, related, body] = counts, names = title + alias + part;
    return { weights, sizes, called: title + alias, names, questions: names + asked, body: names + asked + related, end: names + asked + related + body };
  }
  const gameOf = (index, number) => index.games.find((game) => number < game.start + game.size);
  /* What is told of a document. */
  function told(index, number) {
    const { standing, scopes, shape, spoiler, topic } = index;
    return { game: gameOf(index, number).id, standing: standing[number], scopes: scopes[number], shape: shape[number], spoiler: spoiler[number] || "", topic: topic.get(number) };
  }
  const isOfCard = (standing) => standing === "card" || standing === "own card";
  /* Where the part lies in a list of [first key, name, ...] that holds a key; -2 when the key comes before all. */
  function placeIn(list, key) {
    let low = 0, high = list.length / 2;
    while (low < high) { const middle = (low + high) >> 1; if (list[2 * middle] <= key) low = middle + 1; else high = middle; }
    return 2 * low - 2;
  }
  /* The numbers that letters stand for, five bits each; the last letter of a number is from the second half of the alphabet. */
  function numbersOf(letters) {
    const found = [];
    let number = 0;
    for (const letter of letters) {
      const bits = LETTERS.get(letter);
      number = 32 * number + bits % 32;
      if (bits >= 32) { found.push(number); number = 0; }
    }
    return found;
  }
  /* What is told of an index word, in letters: the steps between the documents that hold it, the texts that it stands in, its vector if it has one. */
  async function wordOf(index, word) {
    if (!index.place.has(word)) return ["", ""];
    const part = index.parts.words[index.place.get(word)];
    return (typeof part === "string" ? await index.part(part) : part)[word];
  }
  /* The vectors of documents by their numbers: letters of which the rules tell the one for 0. */
  function lettersOf(index) {
    if (!index.letters) {
      const { size, least } = index.rules.likeness;
      index.letters = new Map();
      for (const [first, packed] of index.likeness) {
        const letters = atob(packed).replace(/[^]/g, (two) => String.fromCharCode(least + (two.charCodeAt(0) >> 4), least + (two.charCodeAt(0) & 15)));
        for (let at = 0; at < letters.length; at += size) index.letters.set(first + at / size, letters.slice(at, at + size));
      }
    }
    return index.letters;
  }
  /* The vector of a query, of such a length that its product with a document's is their likeness; null when no word of it has one. */
  async function vectorOfQuery(index, { stems }) {
    const { size, length } = index.rules.likeness, packed = (await Promise.all(stems.map((word) => wordOf(index, word)))).map(([, , vector]) => vector).filter(Boolean);
    const vectors = packed.map((each) => Int8Array.from(atob(each), (letter) => letter.charCodeAt(0)));
    const sum = Array.from({ length: size }, (_, at) => vectors.reduce((all, vector) => all + vector[at], 0)), own = Math.hypot(...sum);
    return own ? sum.map((figure) => figure / (own * length)) : null;
  }
  /* What the points of a document are multiplied by that is so like the query. */
  function gainOf(index, meant, number) {
    const { like, usual, zero } = index.rules.likeness, letters = lettersOf(index).get(number);
    if (!meant || !letters) return 1;
    return Math.exp(like * (meant.reduce((sum, figure, at) => sum + figure * (letters.charCodeAt(at) - zero), 0) - usual));
  }
  /* The documents that hold an index word: their numbers, its weight in each, and the texts that it stands in. */
  async function holders(index, word) {
    const found = { numbers: [], weights: [], places: [] }, [steps, texts] = await wordOf(index, word), told = numbersOf(texts).values();
    let number = 0;
    for (const step of numbersOf(steps)) {
      number += step;
      const stands = [], { weights } = index.shape[number];
      let last = 0, goesOn = 1;
      while (goesOn) { const { value } = told.next(); last += value >> 1; goesOn = value & 1; stands.push(last); }
      found.numbers.push(number);
      found.weights.push(stands.reduce((sum, text) => sum + weights[text], 0));
      found.places.push(stands.length > 1 ? [...new Set(stands)] : stands);
    }
    return found;
  }
  /* The documents whose name is `typed` or begins with `start`: for each whether it `is` that, as title or other name. */
  async function namesakes(index, typed, start) {
    const found = new Map(), list = index.parts.names;
    if (!typed) return found;
    for (let at = Math.max(0, placeIn(list, typed)); at < list.length && (list[at] <= typed || list[at].startsWith(typed)); at += 2) {
      for (const [name, numbers] of Object.entries(await index.part(list[at + 1]))) {
        if (name !== typed && !name.startsWith(start)) continue;
        for (const each of numbers) {
          const isTitle = each >= 0, number = isTitle ? each : -1 - each;
          const now = found.get(number) || { is: false, isTitle: false, begins: false, beginsTitle: false };
          if (name === typed) { now.is = true; now.isTitle ||= isTitle; }
          if (name.startsWith(start)) { now.begins = true; now.beginsTitle ||= isTitle; }
          found.set(number, now);
        }
      }
    }
    return found;
  }
  /* A row of a part `texts` with id and address in full. */
  function inFull(folder, [name, url, ...rest]) {
    const id = folder + "/" + name;
    return [id, url === 1 ? id + ".html" : url === 2 ? folder + ".html#" + name : url, ...rest];
  }
  /* A document as it is shown. */
  async function shown(index, number) {
    const list = index.parts.texts, at = placeIn(list, number), { game, standing, scopes, spoiler } = told(index, number);
    const [id, url, title, source, said, kind, , notes, answered] = inFull(index.folder[number], (await index.part(list[at + 1]))[number - list[at]]);
    const isCard = isOfCard(standing);
    return { id, url, kind: isCard ? "card" : kind, game, title, source, standing, scopes, spoiler,
      sentences: isCard ? (said ? [said] : []) : said, notes: notes || {}, answered: answered || [] };
  }
  /* The documents that lie in a game or set (or anywhere), without those of some editions. */
  function insideOf(index, scope, without) {
    const key = [scope, ...without].join(" "), isIn = (scopes, number) => (!scope || scopes.has(scope)) && !without.includes(index.edition[number]);
    if (!index.inside.has(key)) index.inside.set(key, new Set(index.scopes.flatMap((scopes, number) => isIn(scopes, number) ? [number] : [])));
    return index.inside.get(key);
  }

  root.kbParts = { open, unrolled, inFull, isKnown, gameOf, told, vectorOfQuery, gainOf, holders, namesakes, shown, insideOf, isOfCard };
})(typeof window === "undefined" ? globalThis : window);
