/* Analyses a question in the same steps as kb/retrieval/analysis.py, question.py and suggest.py. It does not use the page. */
"use strict";
(function () {
  const WORD = /\[[a-z_]+\]|[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*/gu;
  /* Porter's stemmer (1980) as implemented in Whoosh, because the index was built with it. */
  const START = "^(?:[^aeiouy]+)?", VC = "[aeiou]+[^aeiouy]+", VOWEL = /[aeiouy]/, ONE = new RegExp(START + VC + "(?:[aeiou]+)?$"), TWO = new RegExp(START + VC + VC), CVC = /^[^aeiouy]+[aeiouy][^aeiouwxy]$/;
  const SOME = new RegExp(START + VC), LAST = /^(.+?)(al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize|(?<=[st])ion)$/;
  /* Replaces one ending with another if the stem is long enough. */
  function ending(pairs) {
    const instead = Object.fromEntries(pairs.split(" ").map((pair) => pair.split(":"))), ends = new RegExp(`^(.*?)(${Object.keys(instead).join("|")})$`);
    return (word) => { const found = ends.exec(word); return found && SOME.test(found[1]) ? found[1] + instead[found[2]] : word; };
  }
  const second = ending("ational:ate tional:tion enci:ence anci:ance izer:ize bli:ble alli:al entli:ent eli:e ousli:ous ization:ize ation:ate ator:ate alism:al iveness:ive fulness:ful ousness:ous aliti:al iviti:ive biliti:ble logi:log");
  const third = ending("icate:ic ative: alize:al iciti:ic ical:ic ful: ness:");
  function porter(word) {
    const startsWithY = word[0] === "y";
    let w = startsWithY ? "Y" + word.slice(1) : word, found;
    if (/(ss|i)es$/.test(w)) w = w.slice(0, -2);
    else if (/[^s]s$/.test(w)) w = w.slice(0, -1);
    if ((found = /^(.*)eed$/.exec(w))) { if (SOME.test(found[1])) w = w.slice(0, -1); }
    else if ((found = /^(.*)(ed|ing)$/.exec(w)) && VOWEL.test(found[1])) {
      w = found[1];
      /* Whoosh's stemmer tests the whole stem here, not its end. We do the same, to get the words of the index. */
      if (/^(at|bl|iz)$/.test(w)) w += "e";
      else if (/^([^aeiouylsz])\1$/.test(w)) w = w.slice(0, -1);
      else if (CVC.test(w)) w += "e";
    }
    if ((found = /^(.+?)y$/.exec(w)) && VOWEL.test(found[1])) w = found[1] + "i";
    w = third(second(w));
    if ((found = LAST.exec(w)) && TWO.test(found[1])) w = found[1];
    if ((found = /^(.+?)e$/.exec(w)) && (TWO.test(found[1]) || (ONE.test(found[1]) && !CVC.test(found[1])))) w = found[1];
    if (/ll$/.test(w) && TWO.test(w)) w = w.slice(0, -1);
    return startsWithY ? "y" + w.slice(1) : w;
  }
  /* Shortens a doubled consonant at the end of a longer stem: "committed" becomes "commit". */
  const stemmed = (word) => (/^[a-z]{3,}$/.test(word) ? porter(word).replace(/(?<=..)([bdfgmnprt])\1$/, "$1") : word.replace(/^\[|\]$/g, ""));
  const fold = (word) => word.toLowerCase().replace(/’/g, "'").normalize("NFKD").replace(/\p{M}/gu, "").replace(/'s$|'/g, "");
  const words = (text) => (text.toLowerCase().match(WORD) || []).map(fold);
  /* Returns true if a document contains the word. */
  const isKnown = (index, word) => index.place.has(stemmed(word));

  /* Edit distance with swaps of neighbours; `most` + 1 if it is larger. */
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
  /* Returns the known word of which `word` is most likely a misspelling, or null. */
  function correct(index, word) {
    const { shortest, longer, alike, consonants, often, most } = index.rules.suggest;
    const bare = (text) => text.replace(/[aeiouy]/g, "").replace(/(.)\1/g, "$1");
    if (word.length < shortest || !ALPHA.test(word)) return null;
    const limit = longer.filter((length) => word.length >= length).length + 1;
    let best = null, bestPoints = 0;
    for (const [candidate, count] of index.vocabulary) {
      if (Math.abs(candidate.length - word.length) > limit || !ALPHA.test(candidate)) continue;
      const edits = distance(word, candidate, limit);
      if (edits > limit) continue;
      const points = edits - alike * (candidate[0] === word[0]) - consonants * (bare(candidate) === bare(word)) - often * Math.min(count, most) ** 0.5;
      if (best === null || points < bestPoints) { best = candidate; bestPoints = points; }
    }
    return best;
  }
  /* Returns the known words that begin with these letters, the most frequent first. */
  const completions = (index, start) => [...index.vocabulary.keys()].filter((word) => word !== start && word.startsWith(start)).slice(0, index.rules.suggest.completions);

  /* Returns the game or set (below `within`) that a question names, and the question without its name. */
  function namedScope(index, text, within) {
    const typed = words(text), line = " " + typed.join(" ") + " ", found = [];
    for (const [scope, names] of index.called) {
      if (within && !(scope + "/").startsWith(within + "/")) continue;
      for (const name of names) if (line.includes(" " + name + " ")) found.push([scope.split("/").length, name.length, scope, name]);
    }
    if (!found.length) return ["", text];
    const descending = (a, b) => (a < b ? 1 : a > b ? -1 : 0);
    found.sort((a, b) => b[0] - a[0] || b[1] - a[1] || descending(a[2], b[2]) || descending(a[3], b[3]));
    const scope = found[0][2];
    let rest = line;
    for (const [, , other, name] of found.sort((a, b) => b[1] - a[1])) if (scope === other || scope.startsWith(other + "/")) rest = rest.replaceAll(" " + name + " ", " ");
    return rest.trim() ? [scope, rest.trim()] : ["", text];
  }

  /* Returns true if a word has synonyms. Such a word of players is not misspelled, even if no document contains it. */
  function isSynonym(index, word) {
    index.synonymWords ??= new Set(index.synonyms.flatMap(([, groups]) => groups.flat(2).join(" ").split(" ")));
    return index.synonymWords.has(stemmed(word));
  }

  /* Returns true if the question is a single unknown word with which other words begin. */
  function isBeginning(index, text) {
    const all = words(text), meant = all.filter((word) => !index.stop.has(word)), typed = meant.length ? meant : all;
    if (typed.length !== 1 || typed[0].length < 3 || isKnown(index, typed[0]) || isSynonym(index, typed[0])) return false;
    return completions(index, typed[0]).length > 0;
  }

  /* Returns the synonyms of these index words and their phrases, each with the word of the question that it can replace. */
  function alternativesOf(index, stems, scope) {
    const phrase = ` ${stems.join(" ")} `, alternatives = new Map();
    for (const [game, groups] of index.synonyms) {
      for (const group of scope && !scope.startsWith(game) ? [] : groups) {
        const present = group.find(([member]) => phrase.includes(" " + member + " "));
        if (!present) continue;
        for (const [, word] of group) if (!stems.includes(word) && !alternatives.has(word)) alternatives.set(word, present[1]);
      }
    }
    return alternatives;
  }
  /* Returns true if a question seems to be in another language: `strange` of its words are unknown, and `left` of these resemble no known word. */
  function isForeign(index, length, strange, left) {
    return 2 * strange > length && strange >= index.rules.suggest.strange - (strange === length) && 3 * left >= strange;
  }
  /* Returns the two common words that a word can be split into, with a space between them. Null if there are none. */
  function split(index, word) {
    const { leastPart, common, longestPair } = index.rules.suggest;
    if (word.length > longestPair) return null;
    let best = null, most = common - 1;
    for (let at = leastPart; at <= word.length - leastPart; at += 1) {
      const pair = [word.slice(0, at), word.slice(at)], count = Math.min(...pair.map((part) => index.vocabulary.get(part) || 0));
      if (count > most && !pair.some((part) => index.stop.has(part))) { best = pair.join(" "); most = count; }
    }
    return best;
  }
  /* Returns true if a word must not be replaced: a document contains it, it has synonyms, or it is a common English word. */
  const isUnderstood = (index, word) => index.stop.has(word) || isKnown(index, word) || isSynonym(index, word) || Boolean(index.english?.has(stemmed(word)));
  /* Joins an unknown word to the next word, or splits it, if that makes known words. Adds the replacements to `replaced`. */
  function respaced(index, typed, text, goesOn, replaced) {
    const found = [], line = ` ${words(text).join(" ")} `, last = typed.length - (goesOn ? 1 : 0);
    for (let at = 0; at < typed.length; at += 1) {
      const word = typed[at], next = at + 1 < last ? typed[at + 1] : "", known = isUnderstood(index, word);
      if (next && line.includes(` ${word} ${next} `) && index.vocabulary.has(word + next) && !(known && isUnderstood(index, next))) {
        replaced.set(`${word} ${next}`, word + next);
        found.push(word + next);
        at += 1;
        continue;
      }
      const parts = at < last && !known ? split(index, word) : null;
      if (parts) { replaced.set(word, parts); found.push(...parts.split(" ")); } else found.push(word);
    }
    return found;
  }
  /* Returns the query: index words, alternatives (synonyms, completions), the corrected text, and `unknown`: true if an unknown word is similar to a known one. */
  function understood(index, rest, text, scope, goesOn) {
    const all = words(rest);
    let typed = all.filter((word) => !index.stop.has(word));
    if (!typed.length) typed = all;
    const begun = new Map(), mended = new Map(), meant = typed;
    let strange = 0, left = 0;
    typed = respaced(index, typed, text, goesOn, mended);
    let unknown = mended.size > 0;
    typed = typed.map((word, at) => {
      const known = isKnown(index, word);
      if (goesOn && at === typed.length - 1 && word.length > 2 && (typed.length === 1 || !known)) {
        const own = stemmed(word);
        for (const longer of completions(index, word)) if (stemmed(longer) !== own) begun.set(stemmed(longer), own);
      }
      if (index.stop.has(word) || known || isSynonym(index, word) || begun.size) return word;
      const like = mended.get(word) || correct(index, word), better = index.english?.has(stemmed(word)) ? null : like;
      unknown ||= Boolean(like);
      strange++;
      if (better) mended.set(word, better);
      else left++;
      return better || word;
    });
    if (isForeign(index, words(text).length, strange, left)) { typed = meant; mended.clear(); }
    const told = typed.filter((word) => !index.stop.has(word));
    if (told.length) typed = told;
    let shown = text.toLowerCase();
    for (const [word, better] of mended) shown = shown.replaceAll(word, better);
    const stems = typed.map(stemmed), alternatives = alternativesOf(index, stems, scope);
    for (const [word, meant] of begun) alternatives.set(word, meant);
    return { typed: stems, stems: [...new Set(stems)], weights: new Map(), alternatives, begun: new Set(begun.values()), total: 1, unknown, corrected: mended.size ? shown : null };
  }

  /* Returns the name whose meaning a question (in folded words) asks for, in singular and plural (kb/retrieval/question.py). */
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

  globalThis.kbAsked = { WORD, words, stemmed, fold, namedScope, understood, isBeginning, completions, correct, distance, namesMeant };
})();
