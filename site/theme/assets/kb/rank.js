/* Ranks as kb/retrieval does, with the same constants and steps, so that the site and the command line give the same results. The data are written by
   kb/site/searchdata.py. */
"use strict";
(function () {
  const { WORD, words, stemmed, fold, namedScope, understood, isBeginning, namesMeant } = kbAsked;
  const LETTERS = new Map([..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].map((letter, at) => [letter, at]));

  /* Makes an index from `data`, the main file. `part` returns a part by name, or a promise of it. */
  function open(data, part) {
    const { rules, documents } = data, stop = new Set(rules.stop), place = new Map(Object.entries(data.known));
    const counts = numbersOf(data.counts), partOf = numbersOf(data.within), known = inFull(data.words);
    const typed = known.map((word, at) => [word, counts[at]]).sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    known.forEach((word, at) => { if (!stop.has(word)) place.set(stemmed(word), partOf[at]); });
    const named = Object.fromEntries(["folder", "standing", "edition", "spoiler"].map((key) => [key, documents[key].at.map((number) => documents[key].names[number])]));
    return { ...documents, ...data, ...named, vocabulary: new Map(typed), place, shape: documents.shape.map((letters) => shaped(rules, numbersOf(letters))),
      topic: new Map(documents.topics.flatMap((numbers, at) => numbers.map((number) => [number, at]))),
      manners: Object.entries(rules.manner.manners).map(([name, pattern]) => [name, new RegExp(pattern)]),
      stop, part, synonyms: Object.entries(data.synonyms), called: Object.entries(data.called), english: null, ofEnglish: data.english };
  }
  /* Returns where the kinds of texts begin in a document of this shape, and the weight of a word in each text. */
  function shaped(rules, told) {
    const kinds = rules.weights.length, counts = told.slice(0, kinds), length = told[kinds], sizes = told.slice(kinds + 1);
    const factor = 1 - rules.length_share + rules.length_share * length / rules.usual_length;
    const weights = counts.flatMap((count, kind) => Array(count).fill(Number((rules.weights[kind] / factor).toFixed(4))));
    const [title, alias, part, asked, related, body] = counts, names = title + alias + part;
    return { weights, sizes, names, questions: names + asked, body: names + asked + related, end: names + asked + related + body };
  }
  const gameOf = (index, number) => index.folder[number].split("/")[0];
  /* Returns the facts about a document other than its words. */
  function told(index, number) {
    const { standing, shape, spoiler, topic } = index;
    return { number, standing: standing[number], shape: shape[number], spoiler: spoiler[number], topic: topic.get(number) };
  }
  /* Returns the position of the part that contains a key, in a list of [first key, name, ...]. Negative if the key comes before all parts. */
  const placeIn = (list, key) => list.findLastIndex((first, at) => at % 2 === 0 && first <= key);
  /* Decodes numbers from letters of five bits each. The last letter of each number is from the second half of the alphabet. */
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
  /* Decodes a compressed list of words, in which each word shares its beginning with the previous word. */
  function inFull([same, rest]) {
    const shared = numbersOf(same);
    let word = "";
    return rest.split(" ").map((own, at) => (word = [...word].slice(0, shared[at]).join("") + own));
  }
  /* Returns the encoded data of an index word: the differences between the numbers of its documents, the texts that contain it, its vector. */
  async function wordOf(index, word) {
    if (!index.place.has(word)) return ["", ""];
    const part = index.parts.words[index.place.get(word)];
    return (typeof part === "string" ? await index.part(part) : part)[word];
  }
  /* Returns true if the part with a word is loaded for a question. A question loads at most twelve files: the data, the names, five results, and five
     parts of words, or four and the English words. The last parts contain the rarest words, which matter most; the first ones the likeliest completions. */
  function isLookedAt(index, { unknown, begun }, wanted) {
    const part = (word) => index.place.get(word) || 0, parts = [...new Set(wanted.map(part))].filter(Boolean);
    const read = parts.sort((a, b) => (begun.size ? a - b : b - a)).slice(0, unknown ? 4 : 5);
    return (word) => !part(word) || read.includes(part(word));
  }
  /* Returns the vector of a query, scaled so that its product with a document's vector is their similarity. Null if no word has a vector. */
  function vectorOfQuery(index, told) {
    const { size, length, zero } = index.rules.likeness, packed = told.map(([, , vector]) => vector).filter(Boolean);
    const vectors = packed.map((each) => Int8Array.from(each, (letter) => letter.charCodeAt(0) - zero));
    const sum = Array.from({ length: size }, (_, at) => vectors.reduce((all, vector) => all + vector[at], 0)), own = Math.hypot(...sum);
    return own ? sum.map((figure) => figure / (own * length)) : null;
  }
  /* Return the similarity in meaning between query and document; and the factor for the points of a document with this similarity. */
  function alikeOf(index, meant, number) {
    const { usual, zero } = index.rules.likeness, letters = index.likeness[number];
    return meant && letters ? meant.reduce((sum, figure, at) => sum + figure * (letters.charCodeAt(at) - zero), 0) : usual;
  }
  const gainOf = (index, alike) => Math.exp(index.rules.likeness.like * (alike - index.rules.likeness.usual));
  /* Returns the documents that contain an index word, by number: the word's weight in each, and the texts that contain it. */
  function holders(index, [steps, texts]) {
    const found = new Map(), told = numbersOf(texts).values();
    let number = 0;
    for (const step of numbersOf(steps)) {
      const stands = [], { weights } = index.shape[number += step];
      for (let last = 0, goesOn = 1; goesOn;) { const { value } = told.next(); last += value >> 1; goesOn = value & 1; stands.push(last); }
      found.set(number, { weight: stands.reduce((sum, text) => sum + weights[text], 0), places: [...new Set(stands)] });
    }
    return found;
  }
  /* Returns the documents with a name that equals `typed` or begins with `start`. `is` says whether the title or another name equals `typed`. */
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
  /* Returns true if the names of a document contain all words of `typed`. The last word does not count, because it may be unfinished. */
  function mayBeName(index, { held }, typed) {
    const [first, ...others] = typed.split(" ").slice(0, -1).flatMap((word) => (index.stop.has(word) ? [] : held.get(stemmed(word)) || []));
    return !first || [...first.keys()].some((number) => [first, ...others].every((each) => each.get(number)?.places[0] < index.shape[number].names));
  }
  /* Returns the data to show a document. */
  async function shown(index, number) {
    const list = index.parts.texts, at = placeIn(list, number), folder = index.folder[number];
    const [name, address, title, source, sentences, kind, notes, answered, asked] = (await index.part(list[at + 1]))[number - list[at]], id = folder + "/" + name;
    const url = address === 1 ? id + ".html" : address === 2 ? folder + ".html#" + name : address;
    return { ...told(index, number), id, url, title, source, sentences, kind, notes, answered, asked };
  }
  const liesIn = (index, number, scope) => `${index.folder[number]}/`.startsWith(`${scope}/`) || index.scopes[number].includes(scope);
  /* Returns the documents in a game or set (or anywhere), without those of the given editions. */
  function insideOf(index, scope, without) {
    return new Set([...index.folder.keys()].filter((number) => (!scope || liesIn(index, number, scope)) && !without.includes(index.edition[number])));
  }

  /* Weighs the words of the query (rare words more), and returns the points and the matched weight of every document. Only the best of a word and its
     synonyms counts. */
  function match(index, query, inside) {
    const { rules } = index, points = new Map(), met = new Map();
    const saturated = (often) => often / (often + rules.saturation);
    let sum = 0;
    query.strange = new Set();
    for (const word of query.stems) {
      const gained = new Map(), held = new Map();
      const each = (stem, use) => {
        for (const [number, { weight }] of query.held.get(stem)) if (inside.has(number)) use(number, saturated(weight));
      };
      each(word, (number, value) => { gained.set(number, value); held.set(number, 1); });
      const own = gained.size;
      if (!own && word.length >= rules.suggest.shortest) query.strange.add(word);
      for (const [other, meant] of query.alternatives) {
        if (meant !== word) continue;
        each(other, (number, value) => {
          gained.set(number, Math.max(gained.get(number) || 0, rules.synonym * value));
          if (!held.has(number)) held.set(number, rules.near);
        });
      }
      const common = query.begun.has(word) ? gained.size : own, weight = (Math.log(1 + inside.size / (common + 1)) + 0.5);
      query.weights.set(word, weight);
      sum += weight;
      for (const [number, value] of gained) {
        points.set(number, (points.get(number) || 0) + value * weight);
        met.set(number, (met.get(number) || 0) + held.get(number) * weight);
      }
    }
    query.total = sum || 1;
    return [points, met];
  }
  /* Returns the texts of a document that contain each word of the query, and each synonym. */
  const placesIn = (query, number) => new Map([...query.held].flatMap(([word, held]) => (held.has(number) ? [[word, held.get(number).places]] : [])));
  /* Returns the weight of the query's words in each text (synonyms count less). Texts without such words are left out. */
  function overlap(rules, query, places) {
    const found = new Map(), add = (text, weight) => found.set(text, (found.get(text) || 0) + weight);
    for (const [word, weight] of query.weights) {
      const own = places.get(word) || [], near = new Set();
      for (const text of own) add(text, weight);
      for (const [other, meant] of query.alternatives)
        if (meant === word && !query.weights.has(other)) for (const text of places.get(other) || []) if (!own.includes(text)) near.add(text);
      for (const text of near) add(text, rules.near * weight);
    }
    return found;
  }
  /* Returns the share of the query's weight in the texts for which `counts` is true (synonyms count less). */
  function shareIn(rules, query, places, counts) {
    const has = (word) => (places.get(word) || []).some(counts);
    let share = 0;
    for (const [word, weight] of query.weights) {
      if (has(word)) share += weight;
      else if ([...query.alternatives].some(([other, meant]) => meant === word && !query.weights.has(other) && has(other))) share += rules.near * weight;
    }
    return share / query.total;
  }
  /* For an entry about a single card, returns the share of the query, without card names, that a single question or sentence contains. */
  function situationOf(rules, query, { shape, standing }, places) {
    if (!rules.onACard.includes(standing)) return 1;
    const titles = rules.titled.includes(standing) ? 1 : 0;
    const isName = (text) => (text >= shape.questions && text < shape.body) || text < titles;
    const rest = new Map([...query.weights].filter(([word]) => !(places.get(word) || []).some(isName)));
    if (!rest.size || rest.size === query.weights.size) return 1;
    const shared = overlap(rules, { weights: rest, alternatives: query.alternatives }, places);
    const there = [...shared].filter(([text]) => (text >= shape.names && text < shape.questions) || (text >= shape.body && text < shape.end));
    return Math.max(0, ...there.map(([, weight]) => weight)) / [...rest.values()].reduce((sum, weight) => sum + weight, 0);
  }
  const isAhead = (value, text, best, first) => value > best || (value === best && text < first);
  /* Returns how well a document fits the query: its names, its best and second-best question, its best sentence, and each of its questions. `together`
     is the share of the query in the names, the best question and the best sentence. */
  function fits(rules, query, doc, places) {
    const { shape } = doc, sizes = new Map(), questions = new Map(), best = { name: 0, asked: 0, again: 0, sentence: 0, questions };
    let question = -1, sentence = -1, asked = 0;
    for (const [word, weight] of query.weights) for (const text of places.get(word) || [])
      if (text < shape.questions) sizes.set(text, (sizes.get(text) ?? rules.other * shape.sizes[text]) + weight - rules.other);
    for (const [text, shared] of overlap(rules, query, places)) {
      if (text >= shape.questions) {
        if (text >= shape.body && text < shape.end && isAhead(shared / query.total, text, best.sentence, sentence)) { best.sentence = shared / query.total; sentence = text; }
        continue;
      }
      const value = 2 * shared / (query.total + Math.max(sizes.get(text) ?? rules.other * shape.sizes[text], shared));
      if (text < shape.names) best.name = Math.max(best.name, value);
      else {
        questions.set(text - shape.names, value);
        if (isAhead(value, text, asked, question)) { asked = value; question = text; }
      }
    }
    [best.asked, best.again] = [0, 0, ...questions.values()].sort((a, b) => b - a);
    best.together = shareIn(rules, query, places, (text) => text < shape.names || text === question || text === sentence);
    best.situation = situationOf(rules, query, doc, places);
    return best;
  }

  /* Returns true if the title names a card that the query does not mention. The document is then about another situation. */
  function namesAnother(index, number, places, asked) {
    const cards = index.cards[number];
    if (!cards) return false;
    const held = new Set([...places.values()].flat()), named = cards.map((card) => held.has(card));
    return !named.every(Boolean) && (!named.some(Boolean) || asked < index.rules.soAsked);
  }

  function score(rules, base, found, met, { standing, spoiler }, name, isOfAnother) {
    const isCard = ["card", "own card"].includes(standing);
    let share = rules.standing[standing] || 1;
    if (found.name >= rules.exact || name.begins) share = Math.max(rules.named, share);
    if (spoiler) share *= rules.spoiler;
    if (isOfAnother) share *= rules.another;
    share *= rules.elsewhere + (1 - rules.elsewhere) * Math.min(1, found.situation / rules.inSituation);
    const value = base * (1 + rules.name * found.name + rules.asked * found.asked + rules.again * found.again + rules.sentence * found.sentence) * share * met ** rules.met * found.together ** rules.together
      * (found.asked >= rules.exact ? rules.askedSo : 1);
    if (name.is) return value + rules.first * (isCard || name.isTitle ? 1 : rules.alias);
    return name.begins ? value * (1 + (rules.begun - 1) * (isCard || name.beginsTitle ? 1 : rules.alias)) : value;
  }

  /* Returns the number of the edition used for each game: the reader's, else the newest. A search inside a later edition (`scope`) uses that edition. */
  function playedOf(index, rules, scope) {
    return Object.fromEntries(Object.entries(index.editions).map(([game, listed]) => {
      const places = listed.map(([place]) => place), chosen = Math.max(0, places.indexOf(rules[game]));
      return [game, places.slice(0, chosen).find((place) => (scope + "/").startsWith(place + "/")) || places[chosen]];
    }));
  }
  /* Returns true if a document belongs to an earlier edition than the one in use. */
  function isEarlier(index, number, played) {
    const edition = index.edition[number];
    return Boolean(edition) && edition !== played[gameOf(index, number)];
  }
  /* Returns the numbers of the editions that are later than the one in use, whose rules do not apply. */
  function laterThan(index, played) {
    return Object.entries(index.editions).flatMap(([game, listed]) => {
      const places = listed.map(([place]) => place);
      return places.slice(0, places.indexOf(played[game]));
    });
  }
  /* For a document of an earlier edition, returns the documents of the edition in use that state the same rule. */
  function playedInstead(index, number, played) {
    return isEarlier(index, number, played) ? index.counterparts[number].filter((other) => !isEarlier(index, other, played)) : [];
  }
  /* Returns the results, best first. A result of an earlier edition is replaced by its counterpart and shown with it. Without one it loses some points. */
  function playedBy(index, hits, played) {
    const there = new Map(hits.map((hit) => [hit.number, hit])), own = new Map();
    return hits.filter((hit) => {
      if (!isEarlier(index, hit.number, played)) return true;
      const others = playedInstead(index, hit.number, played).flatMap((number) => there.get(number) || []);
      if (!others.length) { hit.score *= index.rules.earlier; return true; }
      const best = others.reduce((most, each) => each.score > most.score ? each : most);
      if (!own.has(best.number)) own.set(best.number, best.score);
      best.score = Math.max(best.score, Math.min(hit.score, index.rules.mostForEarlier * own.get(best.number)));
      best.twins.push(hit.number);
      return false;
    });
  }
  /* Returns the same rule in another edition, with the edition's name. Its text is loaded only for `links`. */
  async function twinOf(index, doc, number, links) {
    const edition = (index.editions[gameOf(index, number)] || []).find(([place]) => place === index.edition[number]);
    return { ...(links ? await shown(index, number) : told(index, number)), differs: doc.notes[number], edition: edition && edition[1] };
  }
  /* Returns the documents with the most points. */
  const foremost = (points, wanted) => [...points].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, wanted);

  async function ranked(index, rest, text, scope, { limit = 10, typing = false, links = false, rules: chosen = {}, only }) {
    const { rules } = index, goesOn = /[\p{L}\p{N}]$/u.test(rest) && (typing || isBeginning(index, rest));
    let query = understood(index, rest, text, scope, goesOn);
    if (query.unknown && !index.english) {
      index.english = new Set(inFull(await index.part(index.ofEnglish)));
      query = understood(index, rest, text, scope, goesOn);
    }
    const asked = [text, query.corrected || "", rest].map((each) => words(each).join(" ")), called = [...asked, ...namesMeant(index, asked[2])];
    const all = [...new Set([...query.stems, ...query.alternatives.keys()])], wanted = all.filter(isLookedAt(index, query, all));
    const rows = new Map(await Promise.all(wanted.map(async (word) => [word, await wordOf(index, word)])));
    query.manners = mannersOf(index, rest);
    query.stems = query.stems.filter((word) => rows.has(word));
    query.alternatives = new Map([...query.alternatives].filter(([word]) => rows.has(word)));
    query.held = new Map(wanted.map((word) => [word, holders(index, rows.get(word))]));
    const meant = vectorOfQuery(index, query.stems.map((word) => rows.get(word)));
    const named = await Promise.all(called.map((name) => (mayBeName(index, query, name) ? namesakes(index, name, goesOn ? name : name + " ") : new Map())));
    const played = playedOf(index, chosen, scope), later = laterThan(index, played);
    const inside = insideOf(index, scope, later), [points, met] = match(index, query, inside);
    const best = new Map(foremost(points, Math.max(rules.candidates, limit)));
    for (const names of named) for (const [number, { is }] of names) {
      if (!is || !inside.has(number)) continue;
      if (!best.has(number)) { best.set(number, points.get(number) || 0); points.set(number, points.get(number) || 0); }
    }
    for (const number of [...best.keys()]) for (const other of playedInstead(index, number, played))
      if (!best.has(other) && inside.has(other)) best.set(other, points.get(other) || 0);
    const found = [...best].map(([number, base]) => {
      const doc = told(index, number);
      const names = named.map((each) => each.get(number) || {}), name = names.find(({ is }) => is) || names[2], alike = alikeOf(index, meant, number);
      const places = placesIn(query, number), fit = fits(rules, query, doc, places);
      const isOfAnother = namesAnother(index, number, places, fit.asked), like = gainOf(index, alike);
      const value = score(rules, base * like, fit, Math.min(1, (met.get(number) || 0) / query.total), doc, name, isOfAnother);
      return { number, topic: doc.topic, standing: doc.standing, twins: [], places, questions: fit.questions, asked: fit.asked, alike, isOfAnother, shape: doc.shape, score: value };
    });
    const inOrder = (a, b) => b.score - a.score || a.number - b.number, hits = playedBy(index, found.sort(inOrder), played).sort(inOrder);
    const kept = [], first = new Map();
    for (const hit of hits) {
      if (hit.topic !== undefined && first.has(hit.topic)) { first.get(hit.topic).twins.push(hit.number); continue; }
      if (hit.topic !== undefined) first.set(hit.topic, hit);
      kept.push(hit);
    }
    if (only !== undefined && kept[0]?.number !== only) return { query, total: 0, hits: [], more: false, sure: 0 };
    const whoever = async (hit) => {
      const doc = await shown(index, hit.number);
      return { ...hit, doc, twins: await Promise.all(hit.twins.map((number) => twinOf(index, doc, number, links))) };
    };
    const shownHits = await Promise.all(kept.slice(0, limit).map(whoever)), asks = !/^[\p{Nd}\s]*$/u.test(words(rest).join(" ")) || named.some((each) => [...each.values()].some(({ is }) => is));
    const sure = shownHits.length && asks ? certaintyOf(index, shownHits[0], query, kept.slice(1, rules.certainty.next)) : 0;
    return { query, total: points.size, hits: shownHits, more: kept.length > limit, sure };
  }

  /* Searches for `text`. `within`: a game or set. `typing`: the last word may be unfinished. `links`: link the same rule in other editions.
     `rules`: the reader's editions. */
  async function search(index, text, options = {}) {
    const { within = "" } = options, whole = words(text).join(" "), [named, rest] = namedScope(index, text, within);
    const called = named ? await namesakes(index, whole, whole) : new Map();  /* the name of an entry can contain the name of a game */
    if (named && ![...called.values()].some(({ is }) => is)) {
      const found = await ranked(index, rest, text, named, options);
      if (found.hits.length) return { ...found, named };
    }
    return { ...await ranked(index, text, text, within, options), named: "" };
  }

  /* The words above the first result, as in `kb ask`. */
  const DEGREES = { certain: "", probable: "Probably:", none: "No clear answer. Closest entries:" };
  /* Searches for `text`, and rates the first result as an answer (`degree`): certain, probable or none. An answer is never more certain than it would be
     if the reader had chosen its game. */
  async function ask(index, text, options = {}) {
    const found = await search(index, text, options), { sure: least, probable } = index.rules.certainty;
    let sure = found.sure;
    if (!options.within && !found.named && sure >= probable) {
      const first = found.hits[0].number;
      sure = Math.min(sure, (await search(index, text, { ...options, within: gameOf(index, first), limit: 1, only: first })).sure);
    }
    return { ...found, sure, degree: sure >= least ? "certain" : sure >= probable ? "probable" : "none" };
  }

  /* Return the types of question that a text belongs to; and the share of types that two texts have in common (kb/retrieval/manner.py). */
  function mannersOf(index, text) {
    const typed = text.toLowerCase();
    return new Set(index.manners.flatMap(([name, pattern]) => (pattern.test(typed) ? [name] : [])));
  }
  const sharedManners = (one, other) => [...one].filter((name) => other.has(name)).length / Math.max(1, new Set([...one, ...other]).size);
  /* Returns the answer of a result: its sentences as one text, beginning with the best, and the document's question that they answer. */
  function said(index, hit, query) {
    const { text, answers } = sentencesOf(index, hit, query);
    return { text, answers };
  }
  /* Returns the same, with the number of the best sentence, the number of the question, and the question's fit. */
  function sentencesOf(index, { doc, places, questions, shape }, query) {
    const { rules } = index, how = rules.answer, sentences = doc.sentences;
    if (!sentences.length) return { text: "", answers: null, leads: null, asked: null, fit: 0 };
    const shared = overlap(rules, query, places), told = sentences.map(() => 0), fits = [];
    for (const [at, value] of questions) {
      const fit = value * (1 + rules.manner.same * sharedManners(query.manners, mannersOf(index, doc.asked[at]))), number = doc.answered[at];
      fits.push([at, fit]);
      if (number !== null && number !== undefined && number < told.length) told[number] = Math.max(told[number], fit);
    }
    const aside = new RegExp(how.aside, "u");
    const points = sentences.map((sentence, number) =>
      ((shared.get(shape.body + number) || 0) / query.total + how.told * told[number]) * (aside.test(sentence) ? how.aside_share : 1));
    const [best, ...others] = [...points.keys()].sort((a, b) => points[b] - points[a]);
    const dangling = new RegExp("^(?:" + how.dangling + ")", "u"), lead = [best], more = [];
    let size = sentences[best].length;
    const isRoom = (number) => {
      if (lead.includes(number) || more.includes(number) || number < 0 || number >= sentences.length || size + sentences[number].length + 3 > how.length) return false;
      size += sentences[number].length + 3;
      return true;
    };
    while ((dangling.test(sentences[lead[0]]) || /^\p{Ll}/u.test(sentences[lead[0]])) && isRoom(lead[0] - 1)) lead.unshift(lead[0] - 1);
    if (others.length && points[others[0]] >= how.as_good * points[best] && isRoom(others[0])) more.push(others[0]);
    let after = best + 1;
    while (isRoom(after)) { more.push(after); after += 1; }
    for (const number of others) if (points[number] > 0 && isRoom(number)) more.push(number);
    for (let number = lead[0] - 1; number >= 0; number -= 1) if (isRoom(number)) more.push(number);
    for (let number = after; number < sentences.length; number += 1) if (isRoom(number)) more.push(number);
    const order = [...lead, ...more.sort((a, b) => a - b)];
    const text = order.map((number, at) => (at ? (number === order[at - 1] + 1 ? " " : " … ") : "") + sentences[number]).join("");
    const [line, fit] = fits.filter(([at]) => [best, null, undefined].includes(doc.answered[at])).sort((a, b) => b[1] - a[1] || a[0] - b[0])[0] || [0, 0];
    const shown = text.length <= how.length ? text : text.slice(0, how.length).replace(/ [^ ]*$/, "") + " …", asked = fit >= how.near_line ? line : null;
    return { text: shown, answers: asked === null ? null : doc.asked[asked], leads: best, asked, fit };
  }
  /* Returns the probability that the first result answers (kb/retrieval/certainty.py). `rivals` are the next results: their best question fits, and scores. */
  function certaintyOf(index, hit, query, rivals) {
    const { rules } = index, how = rules.certainty, { standing, places, shape, alike } = hit;
    if (hit.isOfAnother) return 0;
    const found = sentencesOf(index, hit, query), asked = found.answers === null ? null : mannersOf(index, found.answers);
    if (query.manners.has(how.product) && !(asked && asked.has(how.product))) return 0;
    const shown = [found.asked === null ? -1 : shape.names + found.asked, found.leads === null ? -1 : shape.body + found.leads];
    const second = rivals.length ? rivals[0].score : 0, least = 1e-9;
    const features = [1, found.fit - Math.max(0, ...rivals.map(({ asked }) => asked)),
      Math.min(Math.log(Math.max(hit.score, least) / Math.max(second || hit.score / how.alone, least)), how.mostLead), alike,
      how.ofACard.includes(standing) && hit.score < rules.first * rules.alias, how.asides.includes(standing),
      [...query.strange].reduce((sum, word) => sum + query.weights.get(word), 0) / query.total,
      1 - shareIn(rules, query, places, (text) => text < shape.names || shown.includes(text)), asked === null ? 0 : sharedManners(query.manners, asked)];
    return 1 / (1 + Math.exp(-features.reduce((sum, feature, at) => sum + how.weights[at] * feature, 0)));
  }
  /* Returns a text as HTML, with marks on the words that match the query or a synonym of one of its words. */
  const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  function marked(text, query) {
    let out = "", at = 0;
    for (const { 0: word, index } of text.matchAll(WORD)) {
      const stem = stemmed(fold(word));
      if (!query.weights.has(stem) && !query.alternatives.has(stem)) continue;
      out += `${escaped(text.slice(at, index))}<mark>${escaped(word)}</mark>`;
      at = index + word.length;
    }
    return out + escaped(text.slice(at));
  }
  /* Returns HTML in which each `[icon]` is drawn. */
  const drawn = (index, html) => html.replace(/\[([a-z_]+)\]/g, (written, name) => (Object.hasOwn(index.icons, name) ? index.icons[name] : written));
  /* Returns the set that contains a document, or else its game. */
  const placeOf = (index, doc) => (index.places.filter(([id]) => liesIn(index, doc.number, id)).sort((a, b) => b[0].length - a[0].length)[0] || ["", ""])[1];
  /* Returns the line about a document: its kind, its game or set (unless the source names it), its source, and whether it is official. */
  const about = (index, doc) => [doc.kind.replace("-", " "), [placeOf(index, doc)].find((place) => !doc.source.includes(place.split(" ").at(-1))), doc.source, doc.standing.startsWith("community-consensus") && "not official"].filter(Boolean);

  /* Returns one version of the rule for each other edition or set: the first that states a difference, with the name of the edition or set. */
  function oneOfEachEdition(index, twins) {
    const kept = new Map();
    for (const twin of twins) {
      const key = twin.edition || twin, known = kept.get(key);
      if (!known || (!known.differs && twin.differs)) kept.set(key, twin);
    }
    return [...kept.values()].map((twin) => ({ ...twin, called: twin.edition || placeOf(index, twin) }));
  }

  /* Returns the parts of a result to show: the question that it answers, title and answer as HTML (hidden for a spoiler), the line about it, and the rule
     in other editions. */
  function face(index, hit, query) {
    const { doc, twins } = hit, hidden = doc.spoiler, { text, answers } = said(index, hit, query);
    return { answers: hidden || !answers ? null : drawn(index, escaped(answers)), title: hidden ? "Spoiler for " + escaped(hidden) : drawn(index, marked(doc.title, query)), said: hidden ? "Open the page to read it." : drawn(index, marked(text, query)),
      about: about(index, doc), twins: oneOfEachEdition(index, twins) };
  }

  /* Returns a note, with its game, about each product in a text that is newer than the card facts (kb/registry/about.py). */
  function newer(index, text) {
    const asked = text.trim().toLowerCase();
    return index.newer.filter(([name, code, cards]) => asked.includes(name) || asked === code || (asked.startsWith(cards) && /^\d{5}[a-z]?$/.test(asked))).map(([, , , says, game]) => ({ says, game }));
  }

  globalThis.kbRank = { open, newer, search, ask, DEGREES, said, face, escaped };
})();
