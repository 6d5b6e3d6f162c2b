/* Words of a text as the search compares them: the same rules as kb/retrieval/analysis.py (Porter's stemmer, 1980). */
"use strict";
(function () {
  const WORD = /\[[a-z_]+\]|[\p{L}\p{N}]+(?:['’][\p{L}\p{N}]+)*/gu;
  const C = "[^aeiouy]+", V = "[aeiou]+", VOWEL = "[aeiouy]";
  const M0 = new RegExp("^(" + C + ")?" + V + C);
  const M1 = new RegExp("^(" + C + ")?" + V + C + "(" + V + ")?$");
  const M2 = new RegExp("^(" + C + ")?" + V + C + V + C);
  const HAS_VOWEL = new RegExp("^(" + C + ")?" + VOWEL);
  const CVC = new RegExp("^" + C + VOWEL + "[^aeiouwxy]$");
  const STEP2 = [["ational", "ate"], ["tional", "tion"], ["enci", "ence"], ["anci", "ance"], ["izer", "ize"], ["bli", "ble"], ["alli", "al"],
    ["entli", "ent"], ["eli", "e"], ["ousli", "ous"], ["ization", "ize"], ["ation", "ate"], ["ator", "ate"], ["alism", "al"], ["iveness", "ive"],
    ["fulness", "ful"], ["ousness", "ous"], ["aliti", "al"], ["iviti", "ive"], ["biliti", "ble"], ["logi", "log"]];
  const STEP3 = [["icate", "ic"], ["ative", ""], ["alize", "al"], ["iciti", "ic"], ["ical", "ic"], ["ful", ""], ["ness", ""]];
  const STEP4 = /^(.+?)(al|ance|ence|er|ic|able|ible|ant|ement|ment|ent|ou|ism|ate|iti|ous|ive|ize)$/;

  function longest(word, pairs) {
    let best = null;
    for (const pair of pairs) if (word.endsWith(pair[0]) && (!best || pair[0].length > best[0].length)) best = pair;
    return best;
  }

  function porter(word) {
    if (word.length < 3) return word;
    const startsWithY = word[0] === "y";
    let w = startsWithY ? "Y" + word.slice(1) : word;
    if (/(ss|i)es$/.test(w)) w = w.slice(0, -2);
    else if (/[^s]s$/.test(w)) w = w.slice(0, -1);
    let found;
    if ((found = /^(.*)eed$/.exec(w))) { if (M0.test(found[1])) w = w.slice(0, -1); }
    else if ((found = /^(.*)(ed|ing)$/.exec(w)) && HAS_VOWEL.test(found[1])) {
      w = found[1];
      // Whoosh's stemmer asks these of the whole stem, not of its end: the index's words are the measure here.
      if (/^(at|bl|iz)$/.test(w)) w += "e";
      else if (/^([^aeiouylsz])\1$/.test(w)) w = w.slice(0, -1);
      else if (CVC.test(w)) w += "e";
    }
    if ((found = /^(.+?)y$/.exec(w)) && HAS_VOWEL.test(found[1])) w = found[1] + "i";
    let pair = longest(w, STEP2);
    if (pair && M0.test(w.slice(0, -pair[0].length))) w = w.slice(0, -pair[0].length) + pair[1];
    pair = longest(w, STEP3);
    if (pair && M0.test(w.slice(0, -pair[0].length))) w = w.slice(0, -pair[0].length) + pair[1];
    if ((found = STEP4.exec(w))) { if (M2.test(found[1])) w = found[1]; }
    else if ((found = /^(.+?)(s|t)(ion)$/.exec(w)) && M2.test(found[1] + found[2])) w = found[1] + found[2];
    if ((found = /^(.+?)e$/.exec(w)) && (M2.test(found[1]) || (M1.test(found[1]) && !CVC.test(found[1])))) w = found[1];
    if (/ll$/.test(w) && M2.test(w)) w = w.slice(0, -1);
    return startsWithY ? "y" + w.slice(1) : w;
  }

  const known = new Map();
  function stemmed(word) {
    let stem = known.get(word);
    if (stem === undefined) {
      stem = /^[a-z]+$/.test(word) && word.length > 2 ? porter(word) : word.replace(/^\[|\]$/g, "");
      known.set(word, stem);
    }
    return stem;
  }
  function fold(word) {
    return word.toLowerCase().replace(/’/g, "'").normalize("NFKD").replace(/\p{M}/gu, "").replace(/'s$/, "").replace(/'/g, "");
  }
  function words(text) {
    return (text.toLowerCase().match(WORD) || []).map(fold);
  }

  window.kbText = { WORD, words, stemmed, fold };
})();
