/* The ranking of kb/search, run on the page: the same figures (they come with the data), the same steps, so that both windows find the
   same. Nothing here touches the page. */
"use strict";
(function (root) {
  const { WORD, words, stemmed, fold } = root.kbText;

  function build(data) {
    const rules = data.rules, stop = new Set(rules.stop);
    const docs = [], postings = new Map(), names = new Map(), often = new Map(), sizes = new Map();
    const stems = (text) => words(text).filter((word) => !stop.has(word)).map(stemmed);
    const whole = (text) => words(text).join(" ");
    const add = (doc) => {
      const number = docs.push(doc) - 1, held = new Map();
      const places = [["title", [doc.title]], ["alias", doc.aliases], ["asked", doc.asked], ["part", doc.parts], ["related", doc.related],
        ["body", doc.sentences], ["older", doc.older]];
      const analysed = [];
      doc.said = [];
      let length = 0;
      for (const [place, texts] of places) for (const text of texts) {
        const list = stems(text);
        if (place === "body") doc.said.push(list);
        length += list.length;
        analysed.push([place, list]);
      }
      const factor = 1 - rules.length_share + rules.length_share * length / rules.usual_length;
      for (const [place, list] of analysed) {
        const weight = Number((rules.weights[place] / factor).toFixed(4));
        for (const stem of list) held.set(stem, (held.get(stem) || 0) + weight);
      }
      for (const [stem, weight] of held) {
        let list = postings.get(stem);
        if (!list) postings.set(stem, list = []);
        list.push(number, weight);
        if (doc.kind === "card") continue;
        let counts = often.get(stem);
        if (!counts) often.set(stem, counts = new Map());
        counts.set(doc.game, (counts.get(doc.game) || 0) + 1);
      }
      if (doc.kind !== "card") sizes.set(doc.game, (sizes.get(doc.game) || 0) + 1);
      doc.called = [...new Set([doc.title, ...doc.aliases].map(whole))];
      for (const name of doc.called) {
        if (!names.has(name)) names.set(name, []);
        names.get(name).push(number);
      }
      doc.names = [doc.title, ...doc.aliases, ...doc.parts].map(stems);
      doc.questions = doc.asked.map(stems);
      doc.cards = doc.related.map(stems);
    };
    const scopes = (id, further) => {
      const found = new Set();
      for (const place of [id, ...further.map((item) => item + "/x")]) {
        const parts = place.split("/");
        for (let length = 1; length <= parts.length; length++) found.add(parts.slice(0, length).join("/"));
      }
      return found;
    };
    for (const [id, url, kind, title, source, standing, aliases, asked, answered, sentences, related, spoiler, parts, further, older, topic, differs] of data.entries) {
      add({ id, url: url || id + ".html", kind, game: id.split("/")[0], title, source, standing, aliases, asked, answered, sentences, related, spoiler, parts,
        scopes: scopes(id, further), older, topic, differs });
    }
    for (const [id, url, title, alias, source, text] of data.cards) {
      add({ id, url: url === 1 ? id + ".html" : url, kind: "card", game: id.split("/")[0], title, source, standing: "card", aliases: alias ? [alias] : [], asked: [],
        answered: [], sentences: text ? [text] : [], related: [], spoiler: "", parts: [], scopes: scopes(id, []), older: [], topic: "", differs: "" });
    }
    const vocabulary = new Map();
    for (let at = 0; at < data.words.length; at += 2) vocabulary.set(data.words[at], data.words[at + 1]);
    return { rules, stop, docs, postings, names, often, sizes, vocabulary, synonyms: Object.entries(data.synonyms), called: Object.entries(data.called), places: data.places,
      letters: new Map(), inside: new Map() };
  }

  /* Edit distance with swaps of neighbours, or `most` + 1 when it is larger. */
  function distance(a, b, most) {
    if (Math.abs(a.length - b.length) > most) return most + 1;
    let before = null, last = Array.from({ length: b.length + 1 }, (_, at) => at);
    for (let i = 1; i <= a.length; i++) {
      const row = [i];
      let least = i;
      for (let j = 1; j <= b.length; j++) {
        let cost = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
        if (before && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before[j - 2] + 1);
        row.push(cost);
        if (cost < least) least = cost;
      }
      if (least > most) return most + 1;
      before = last; last = row;
    }
    return last[b.length];
  }
  const ALPHA = /^\p{L}+$/u;
  /* The known word that `word` is most likely a misspelling of, or null. */
  function correct(index, word) {
    const { shortest, longer, alike, often, most, least } = index.rules.suggest;
    if (word.length < shortest || !ALPHA.test(word)) return null;
    const limit = longer.filter((length) => word.length >= length).length + 1;
    let best = null, bestPoints = 0;
    for (const [candidate, count] of index.vocabulary) {
      if (Math.abs(candidate.length - word.length) > limit || !ALPHA.test(candidate)) continue;
      const allowed = best === null ? limit : Math.min(limit, Math.trunc(bestPoints + alike + least));
      const edits = distance(word, candidate, allowed);
      if (edits > allowed) continue;
      const points = edits - alike * (candidate[0] === word[0] ? 1 : 0) - often * Math.min(count, most) ** 0.5;
      if (best === null || points < bestPoints) { best = candidate; bestPoints = points; }
    }
    return best;
  }
  function completions(index, start) {
    const found = [];
    for (const word of index.vocabulary.keys()) {
      if (word === start || !word.startsWith(start)) continue;
      found.push(word);
      if (found.length === index.rules.suggest.completions) break;
    }
    return found;
  }

  /* Whether the words `name` in the text are only a part of a title or card's name that stands there. */
  function isLongerName(index, typed, part) {
    const length = part.length;
    for (let at = 0; at + length <= typed.length; at++) {
      if (!part.every((word, offset) => typed[at + offset] === word)) continue;
      for (let first = Math.max(0, at - 3); first <= at; first++)
        for (let last = at + length; last <= Math.min(typed.length, at + length + 3); last++)
          if (last - first > length && index.names.has(typed.slice(first, last).join(" "))) return true;
    }
    return false;
  }
  /* The game or set (below `within`) that a question names, and the question without such names. */
  function namedScope(index, text, within) {
    const typed = words(text), line = " " + typed.join(" ") + " ", found = [];
    for (const [scope, names] of index.called) {
      if (within && !(scope + "/").startsWith(within + "/")) continue;
      for (const name of names) if (line.includes(" " + name + " ") && !isLongerName(index, typed, name.split(" "))) found.push([scope.split("/").length, name.length, scope, name]);
    }
    if (!found.length) return ["", text];
    found.sort((a, b) => b[0] - a[0] || b[1] - a[1] || (a[2] < b[2] ? 1 : a[2] > b[2] ? -1 : a[3] < b[3] ? 1 : -1));
    const scope = found[0][2];
    let rest = line;
    for (const [, , other, name] of [...found].sort((a, b) => b[1] - a[1])) if (scope === other || scope.startsWith(other + "/")) rest = rest.replaceAll(" " + name + " ", " ");
    return rest.trim() ? [scope, rest.trim()] : ["", text];
  }

  /* Documents that hold an index word, with its weight in each: number, weight, number, weight … */
  function postingsOf(index, stem, inside) {
    const list = index.postings.get(stem) || [];
    if (!inside) return list;
    const kept = [];
    for (let at = 0; at < list.length; at += 2) if (inside.has(list[at])) kept.push(list[at], list[at + 1]);
    return kept;
  }
  function insideOf(index, scope) {
    if (!scope) return null;
    if (!index.inside.has(scope)) index.inside.set(scope, new Set(index.docs.flatMap((doc, number) => (doc.scopes.has(scope) ? [number] : []))));
    return index.inside.get(scope);
  }
  /* The word of a phrase that stands in the fewest documents. */
  function rarest(index, phrase) {
    const often = (word) => (index.postings.get(word) || []).length;
    return phrase.split(" ").reduce((best, word) => (often(word) < often(best) ? word : best));
  }

  /* Whether a word that no document holds stands for others: players' own words are not misspelled. */
  function isSynonym(index, word) {
    index.synonymWords ??= new Set([...index.synonyms].flatMap(([, groups]) => groups.flat().flatMap((phrase) => phrase.split(" "))));
    return index.synonymWords.has(stemmed(word));
  }

  /* Whether all that was typed is one word that stands nowhere, and others begin with it. */
  function isBeginning(index, text) {
    const all = words(text), meant = all.filter((word) => !index.stop.has(word)), typed = meant.length ? meant : all;
    if (typed.length !== 1 || typed[0].length < 3 || index.postings.has(stemmed(typed[0])) || isSynonym(index, typed[0])) return false;
    return completions(index, typed[0]).length > 0;
  }

  /* The query as it is understood: index words, alternatives (synonyms, completions of a word that goes on), the corrected text. */
  function understood(index, rest, text, scope, goesOn) {
    const all = words(rest);
    let typed = all.filter((word) => !index.stop.has(word));
    if (!typed.length) typed = all;
    const begun = new Map();
    let shown = text, changed = false;
    typed = typed.map((word, at) => {
      const isKnown = index.postings.has(stemmed(word));
      if (goesOn && at === typed.length - 1 && word.length > 2 && (typed.length === 1 || !isKnown)) {
        const own = stemmed(word);
        for (const longer of completions(index, word)) if (stemmed(longer) !== own) begun.set(stemmed(longer), own);
      }
      if (index.stop.has(word) || isKnown || isSynonym(index, word) || begun.size) return word;
      const better = correct(index, word);
      if (better) { shown = shown.toLowerCase().replaceAll(word, better); changed = true; }
      return better || word;
    });
    const stems = typed.map(stemmed), phrase = " " + stems.join(" ") + " ", alternatives = new Map();
    for (const [game, groups] of index.synonyms) {
      if (scope && !scope.startsWith(game)) continue;
      for (const group of groups) {
        const present = group.find((member) => phrase.includes(" " + member + " "));
        if (present === undefined) continue;
        const meant = rarest(index, present);
        for (const member of group) {
          const word = rarest(index, member);
          if (!stems.includes(word) && !alternatives.has(word)) alternatives.set(word, meant);
        }
      }
    }
    for (const [word, meant] of begun) alternatives.set(word, meant);
    return { stems: [...new Set(stems)], weights: new Map(), alternatives, begun: new Set(begun.values()), total: 1, corrected: changed ? shown : null };
  }

  /* Gives each word of the query its weight (rare words among the documents asked for count more); the points of every document that
     holds one, and the weight of the words it holds. Of a word and its synonyms only the best counts. */
  function match(index, query, inside) {
    const { rules } = index, points = new Map(), met = new Map(), total = inside ? inside.size : index.docs.length;
    const saturated = (often) => often / (often + rules.saturation);
    let sum = 0;
    for (const word of query.stems) {
      const own = postingsOf(index, word, inside), gained = new Map(), held = new Map();
      for (let at = 0; at < own.length; at += 2) { gained.set(own[at], saturated(own[at + 1])); held.set(own[at], 1); }
      for (const [other, meant] of query.alternatives) {
        if (meant !== word) continue;
        const list = postingsOf(index, other, inside);
        for (let at = 0; at < list.length; at += 2) {
          gained.set(list[at], Math.max(gained.get(list[at]) || 0, rules.synonym * saturated(list[at + 1])));
          if (!held.has(list[at])) held.set(list[at], rules.near);
        }
      }
      const common = query.begun.has(word) ? gained.size : own.length / 2, weight = Math.log(1 + total / (common + 1)) + 0.5;
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
  /* Raises the points of the documents of the game whose words the query uses. */
  function favourGame(index, query, points) {
    const { rules } = index, share = new Map([...index.sizes.keys()].map((game) => [game, 0]));
    for (const [word, weight] of query.weights) {
      const counts = index.often.get(word);
      if (!counts) continue;
      const rates = [...index.sizes].map(([game, size]) => [game, ((counts.get(game) || 0) + rules.unseen) / (size + 1)]);
      const total = rates.reduce((sum, [, rate]) => sum + rate, 0);
      for (const [game, rate] of rates) share.set(game, share.get(game) + weight * rate / total);
    }
    for (const [number, value] of points) points.set(number, value * (1 + rules.game * (share.get(index.docs[number].game) || 0) / query.total));
  }

  function overlap(query, list, near) {
    const found = new Map();
    for (const word of list) {
      if (query.weights.has(word)) found.set(word, query.weights.get(word));
      else if (query.alternatives.has(word)) {
        const meant = query.alternatives.get(word);
        found.set(meant, Math.max(found.get(meant) || 0, near * (query.weights.get(meant) || 0)));
      }
    }
    let sum = 0;
    for (const weight of found.values()) sum += weight;
    return sum;
  }
  function fit(rules, query, list) {
    const shared = overlap(query, list, rules.near);
    if (!shared) return 0;
    let size = 0;
    for (const word of new Set(list)) size += query.weights.get(word) || rules.other;
    return 2 * shared / (query.total + Math.max(size, shared));
  }
  const most = (list, of) => list.reduce((best, item) => Math.max(best, of(item)), 0);
  const mostTwo = (list, of) => [0, 0, ...list.map(of)].sort((a, b) => b - a);

  function score(rules, query, base, doc, met, typed, isTyping) {
    const name = most(doc.names, (list) => fit(rules, query, list)), [asked, again] = mostTwo(doc.questions, (list) => fit(rules, query, list));
    const share = (list) => overlap(query, list, rules.near) / query.total, card = most(doc.cards, share), sentence = most(doc.said, share);
    const start = isTyping ? typed : typed + " ", beginning = doc.called.map((called) => called.startsWith(start));
    const begins = beginning.includes(true), isCard = doc.standing === "card";
    let standing = rules.standing[doc.standing] || 1;
    if (name >= rules.exact || begins) standing = Math.max(rules.named, standing);
    if (doc.spoiler) standing *= rules.spoiler;
    const value = base * (1 + rules.name * name + rules.asked * asked + rules.again * again + rules.card * card + rules.sentence * sentence) * standing * met ** rules.met
      * (asked >= rules.exact ? rules.askedSo : 1);
    if (doc.called.includes(typed)) return value + rules.first * (isCard || doc.called[0] === typed ? 1 : rules.alias);
    return begins ? value * (1 + (rules.begun - 1) * (isCard || beginning[0] ? 1 : rules.alias)) : value;
  }

  function ranked(index, rest, text, scope, limit, typing, here) {
    const { rules } = index, goesOn = /[\p{L}\p{N}]$/u.test(rest) && (typing || isBeginning(index, rest));
    const query = understood(index, rest, text, scope, goesOn), inside = insideOf(index, scope);
    const [points, met] = match(index, query, inside);
    if (!inside) favourGame(index, query, points);
    const typed = words(rest).join(" "), called = [words(text).join(" "), words(query.corrected || "").join(" "), typed];
    const best = new Map([...points].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, Math.max(rules.candidates, limit)));
    for (const name of new Set(called)) for (const number of index.names.get(name) || [])
      if ((!inside || inside.has(number)) && !best.has(number)) { best.set(number, points.get(number) || 0); points.set(number, points.get(number) || 0); }
    const hits = [...best].map(([number, base]) => {
      const doc = index.docs[number], near = here && !scope ? (doc.scopes.has(here) ? 1.25 : doc.scopes.has(here.split("/")[0]) ? 1.1 : 1) : 1;
      return { doc, twins: [], score: near * score(rules, query, base, doc, Math.min(1, (met.get(number) || 0) / query.total), called.find((name) => doc.called.includes(name)) || typed, goesOn) };
    });
    hits.sort((a, b) => b.score - a.score || (a.doc.id < b.doc.id ? -1 : 1));
    const kept = [], first = new Map();
    for (const hit of hits) {
      const key = hit.doc.topic && hit.doc.game + "\0" + hit.doc.topic;
      if (key && first.has(key)) { first.get(key).twins.push(hit.doc); continue; }
      if (key) first.set(key, hit);
      kept.push(hit);
    }
    return { query, total: points.size, hits: kept.slice(0, limit) };
  }

  /* What `text` finds: the query as understood, how many match, the hits. `within` is a game or set, `here` the place of the page that
     is read (its game comes first), `typing` whether the last word may go on. */
  function search(index, text, options) {
    const { within = "", here = "", limit = 10, typing = false } = options || {};
    const [named, rest] = namedScope(index, text, within);
    if (named) {
      const found = ranked(index, rest, text, named, limit, typing, here);
      if (found.hits.length) return { ...found, named };
    }
    return { ...ranked(index, text, text, within, limit, typing, here), named: "" };
  }

  /* What an entry says on the query: the sentence that answers and what it needs to be read alone. */
  function answer(index, doc, query) {
    const { rules } = index, how = rules.answer, said = doc.sentences;
    if (!said.length) return "";
    const own = new Set(doc.names[0]), weights = new Map([...query.weights].map(([word, weight]) => [word, weight * (own.has(word) ? how.own_words : 1)]));
    const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0) || 1, narrowed = { weights, alternatives: query.alternatives, total };
    const told = said.map(() => 0);
    doc.answered.forEach((number, at) => {
      if (number !== null && number < told.length) told[number] = Math.max(told[number], fit(rules, query, doc.questions[at]));
    });
    const aside = new RegExp(how.aside, "u");
    let best = 0, mostPoints = -1;
    said.forEach((sentence, number) => {
      const points = (overlap(narrowed, doc.said[number], rules.near) / total * (1 + (number ? 0 : how.opening)) + how.told * told[number])
        * (aside.test(sentence) ? how.aside_share : 1);
      if (points > mostPoints) { best = number; mostPoints = points; }
    });
    const dangling = new RegExp("^(?:" + how.dangling + ")", "u"), shown = new Set([best]);
    let size = said[best].length;
    const add = (number) => {
      if (shown.has(number) || number < 0 || number >= said.length || size + said[number].length + 3 > how.length) return false;
      shown.add(number);
      size += said[number].length + 3;
      return true;
    };
    let start = best;
    while (start > 0 && (dangling.test(said[start]) || /^\p{Ll}/u.test(said[start])) && add(start - 1)) start -= 1;
    add(0);
    let after = best + 1;
    while (add(after)) after += 1;
    while (add(start - 1)) start -= 1;
    for (let number = 1; number < best; number += 1) add(number);
    const order = [...shown].sort((a, b) => a - b);
    const text = order.map((number, at) => (at ? (number === order[at - 1] + 1 ? " " : " … ") : "") + said[number]).join("");
    return text.length <= how.length ? text : text.slice(0, how.length).replace(/ [^ ]*$/, "") + " …";
  }
  /* The words of a text that the query or a synonym of its words matches: start and end of each. */
  function matches(text, query) {
    const found = [];
    for (const word of text.matchAll(WORD)) {
      const stem = stemmed(fold(word[0]));
      if (query.weights.has(stem) || query.alternatives.has(stem)) found.push([word.index, word.index + word[0].length]);
    }
    return found;
  }

  root.kbRank = { build, search, answer, matches, correct, distance };
})(typeof window === "undefined" ? globalThis : window);
