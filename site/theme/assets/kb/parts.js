/* What the search reads: the words that all games share, and the parts of each game, loaded as queries need them. kb/site/searchparts.py
   says what is in them. Nothing here touches the page. */
"use strict";
(function (root) {
  const { stemmed } = root.kbText;

  /* An index of `data`, what all games share; `part` gives a part by its name (a promise of it). */
  function open(data, part) {
    const rules = data.rules, vocabulary = new Map(), kept = new Map();
    for (let at = 0; at < data.words.length; at += 2) vocabulary.set(data.words[at], data.words[at + 1]);
    let size = 0;
    const games = data.games.map(([id, length, name]) => {
      size += length;
      return { id, name, size: length, start: size - length, head: null };
    });
    return { rules, vocabulary, games, size, stop: new Set(rules.stop), known: new Set(data.known), often: new Map(Object.entries(data.often)), longer: new Set(data.longer),
      synonyms: Object.entries(data.synonyms), called: Object.entries(data.called), places: data.places, editions: data.editions, vectors: data.vectors, inside: new Map(),
      part(name) {
        if (!kept.has(name)) kept.set(name, Promise.resolve(part(name)).catch((error) => { kept.delete(name); throw error; }));
        return kept.get(name);
      } };
  }
  /* Whether some document holds a word. */
  function isKnown(index, word) {
    if (!index.whole) {
      for (const each of index.vocabulary.keys()) if (!index.stop.has(each)) index.known.add(stemmed(each));
      index.whole = true;
    }
    return index.known.has(stemmed(word));
  }

  function unrolled(runs) {
    const found = [];
    for (let at = 0; at < runs.length; at += 2) for (let times = runs[at + 1]; times > 0; times--) found.push(runs[at]);
    return found;
  }
  function prefixes(folder) {
    const parts = folder.split("/");
    return parts.map((_part, at) => parts.slice(0, at + 1).join("/"));
  }
  /* How the documents of a game lie: for each its standing, the places it is found in, and the shape of its texts. */
  async function headOf(index, game) {
    if (game.head) return game.head;
    const data = await index.part(game.name), { rules } = index, scopes = new Map();
    const folder = unrolled(data.folders), folders = folder.map((folder) => {
      if (!scopes.has(folder)) scopes.set(folder, new Set(prefixes(folder)));
      return scopes.get(folder);
    });
    for (const [number, further] of Object.entries(data.scopes)) folders[number] = new Set([...folders[number], ...further]);
    const shapes = data.shapes.map(([counts, length, sizes]) => {
      const factor = 1 - rules.length_share + rules.length_share * length / rules.usual_length, weights = [];
      counts.forEach((count, kind) => { for (let times = 0; times < count; times++) weights.push(Number((rules.weights[kind] / factor).toFixed(4))); });
      const [title, alias, part, asked, related, body] = counts, names = title + alias + part;
      return { weights, sizes, called: title + alias, names, questions: names + asked, body: names + asked + related, end: names + asked + related + body };
    });
    const standing = unrolled(data.standing);
    game.head = { ...data, standing, folder, scopes: folders, shape: unrolled(data.shape).map((number) => shapes[number]),
      entries: standing.reduce((sum, each) => sum + (isEntry(each) ? 1 : 0), 0) };
    return game.head;
  }
  const gameOf = (index, number) => index.games.find((game) => number < game.start + game.size);
  /* What the head of its game says of a document. */
  function told(index, number) {
    const game = gameOf(index, number), { head } = game, own = number - game.start, topic = head.topic[own];
    return { game: game.id, standing: head.standing[own], scopes: head.scopes[own], shape: head.shape[own], spoiler: head.spoiler[own] || "",
      topic: topic === undefined ? "" : game.id + " " + topic };
  }
  const isOfCard = (standing) => standing === "card" || standing === "own card";
  /* Cards and the reader's own rulebooks do not tell which words a game uses. */
  const isEntry = (standing) => !isOfCard(standing) && standing !== "rulebook";
  /* Where the part lies in a list of [first key, name, ...] that holds a key; -2 when the key comes before all. */
  function placeIn(list, key) {
    let low = 0, high = list.length / 2;
    while (low < high) { const middle = (low + high) >> 1; if (list[2 * middle] <= key) low = middle + 1; else high = middle; }
    return 2 * low - 2;
  }
  /* The vectors of the documents of a game, by their numbers in it: letters of which the rules tell the one for 0. */
  async function vectorsOf(index, game) {
    if (!game.vectors) {
      const { size, least } = index.rules.likeness, vectors = new Map();
      for (const [first, packed] of await index.part(game.head.likeness)) {
        const letters = atob(packed).replace(/[^]/g, (two) => String.fromCharCode(least + (two.charCodeAt(0) >> 4), least + (two.charCodeAt(0) & 15)));
        for (let at = 0; at < letters.length; at += size) vectors.set(first + at / size, letters.slice(at, at + size));
      }
      game.vectors = vectors;
    }
    return game.vectors;
  }
  /* The vector of an index word, null when it has none. */
  async function vectorOf(index, word) {
    const at = placeIn(index.vectors, word), part = at < 0 ? {} : await index.part(index.vectors[at + 1]);
    return Object.hasOwn(part, word) ? Int8Array.from(atob(part[word]), (letter) => letter.charCodeAt(0)) : null;
  }
  /* The vector of a query, of such a length that its product with a document's is their likeness; null when no word of it has one. */
  async function vectorOfQuery(index, { stems }) {
    const { size, length } = index.rules.likeness, vectors = (await Promise.all(stems.map((word) => vectorOf(index, word)))).filter(Boolean);
    const sum = Array.from({ length: size }, (_, at) => vectors.reduce((all, vector) => all + vector[at], 0)), own = Math.hypot(...sum);
    return own ? sum.map((figure) => figure / (own * length)) : null;
  }
  /* What the points of a document are multiplied by that is so like the query. */
  function gainOf(index, meant, number) {
    const { like, usual, zero } = index.rules.likeness, game = gameOf(index, number), letters = game.vectors.get(number - game.start);
    if (!meant || !letters) return 1;
    return Math.exp(like * (meant.reduce((sum, figure, at) => sum + figure * (letters.charCodeAt(at) - zero), 0) - usual));
  }
  /* The documents of these games that hold an index word: their numbers, its weight in each, and the texts that it stands in. */
  async function holders(index, games, word) {
    const found = { numbers: [], weights: [], places: [] };
    for (const game of games) {
      const at = placeIn(game.head.words, word);
      if (at < 0) continue;
      const part = await index.part(game.head.words[at + 1]);
      if (!Object.hasOwn(part, word)) continue;
      const [steps, places] = part[word];
      let own = 0;
      steps.forEach((step, which) => {
        own += step;
        const stands = [].concat(places[which]), { weights } = game.head.shape[own];
        found.numbers.push(game.start + own);
        found.weights.push(stands.reduce((sum, text) => sum + weights[text], 0));
        found.places.push(stands.length > 1 ? [...new Set(stands)] : stands);
      });
    }
    return found;
  }
  /* The documents of these games whose name is `typed` or begins with `start`: for each whether it `is` that, as title or other name. */
  async function namesakes(index, games, typed, start) {
    const found = new Map();
    if (!typed) return found;
    for (const game of games) {
      const list = game.head.names;
      for (let at = Math.max(0, placeIn(list, typed)); at < list.length && (list[at] <= typed || list[at].startsWith(typed)); at += 2) {
        for (const [name, numbers] of Object.entries(await index.part(list[at + 1]))) {
          if (name !== typed && !name.startsWith(start)) continue;
          for (const each of numbers) {
            const isTitle = each >= 0, number = game.start + (isTitle ? each : -1 - each);
            const now = found.get(number) || { is: false, isTitle: false, begins: false, beginsTitle: false };
            if (name === typed) { now.is = true; now.isTitle ||= isTitle; }
            if (name.startsWith(start)) { now.begins = true; now.beginsTitle ||= isTitle; }
            found.set(number, now);
          }
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
    const game = gameOf(index, number), own = number - game.start, list = game.head.texts, at = placeIn(list, own), { standing, scopes, spoiler } = told(index, number);
    const [id, url, title, source, said, kind, , differs, answered] = inFull(game.head.folder[own], (await index.part(list[at + 1]))[own - list[at]]);
    const isCard = isOfCard(standing);
    return { id, url, kind: isCard ? "card" : kind, game: game.id, title, source, standing, scopes, spoiler,
      sentences: isCard ? (said ? [said] : []) : said, differs: differs || "", answered: answered || [] };
  }
  /* The documents that lie in a game or set. */
  function insideOf(index, scope) {
    if (!index.inside.has(scope)) {
      const held = new Set(), game = index.games.find(({ id }) => id === scope.split("/")[0]);
      if (game) game.head.scopes.forEach((scopes, own) => { if (scopes.has(scope)) held.add(game.start + own); });
      index.inside.set(scope, held);
    }
    return index.inside.get(scope);
  }

  root.kbParts = { open, unrolled, inFull, isKnown, headOf, gameOf, told, vectorsOf, vectorOfQuery, gainOf, holders, namesakes, shown, insideOf, isOfCard, isEntry };
})(typeof window === "undefined" ? globalThis : window);
