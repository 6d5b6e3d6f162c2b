/* Functions for the pages that use the checker: start it, show progress, draw its pages, read files, export. */
"use strict";
window.kbCheckerPage = function () {
  const part = (name) => document.querySelector(`[data-kb-${name}]`), on = (name, act, event = "click") => part(name)?.addEventListener(event, act);
  const make = kbMake, form = part("check"), state = part("state"), verdict = part("verdict"), title = document.getElementById("kb-verdict");
  const shadow = part("page")?.attachShadow({ mode: "open" });  /* the form that builds decks has no verdict page */
  const limits = JSON.parse(form.dataset.limits), pack = new URL(form.dataset.pack, location.href).href, waiting = new Map();
  let worker, ready, asked = 0, wanted = false, started = false, turn = Promise.resolve();
  let last = null, stale = false, made = "", shared = "";  /* last: the shown answer. stale: true if the input changed after it. made: the link made from the input. shared: the link that opened the page */

  /* A game's page links here with that game chosen. */
  const chosen = /^#\?game=([\w-]+)(?:&add=(\w+))?$/.exec(location.hash);
  if (chosen) {
    const option = part("game")?.querySelector(`option[value="${chosen[1]}"]`);
    if (option) option.selected = true;
    history.replaceState(history.state, "", location.pathname + location.search);
  }

  /* Progress messages */
  /* `share`: the finished part of the work (0 to 1), or null if unknown. */
  function say(text, share) {
    state.replaceChildren(...(text ? [make("p", ...text.split("`").map((part, at) => (at % 2 ? make("code", part) : part)))] : []));
    if (share !== undefined) state.append(make("progress", { "aria-label": text, value: share !== null && share }));
  }
  /* `buttons`: buttons that fix the problem. */
  function complain(text, ...buttons) {
    say(text);
    state.append(...buttons);
    state.classList.add("kb-check__state--bad");
    setTimeout(() => document.activeElement.ariaInvalid || state.scrollIntoView({ block: "nearest" }));  /* after the focus has moved; a question shows its own problem */
  }
  function quiet() { state.classList.remove("kb-check__state--bad"); say(""); }

  /* The checker */
  function packByScript() {
    return new Promise((resolve, reject) => {
      window.kbPython = (text) => resolve(text);
      const without = (words) => () => { tag.remove(); reject(new Error(`The file ${form.dataset.pack} ${words}. Copy the site's entire folder.`)); };
      /* One byte per character. `load` without the pack means that it is damaged; after the pack it has no effect. */
      const tag = make("script", { charset: "x-user-defined", error: without("is missing"), load: without("is damaged") });
      tag.src = form.dataset.pack;
      document.head.append(tag);
    });
  }
  /* After a failure no answer can be trusted: the next question restarts Python. */
  function over(error) {
    for (const { failed } of waiting.values()) failed(error);
    waiting.clear();
    ready = null;
    worker.terminate();
  }
  function start() {
    if (ready) return ready;
    ready = new Promise((resolve, reject) => {
      const source = URL.createObjectURL(new Blob([`(${kbCheckerWork})()`], { type: "text/javascript" }));
      worker = new Worker(source, { name: "kb checker" });
      worker.onerror = (event) => {
        const error = new Error(event.message || "This browser cannot run the checker from a folder. Open the site from a server (`kb site serve`), or use another browser.");
        reject(error);
        over(error);
      };
      worker.onmessage = ({ data }) => {
        if (data.step === "here") {
          worker.postMessage({ start: { url: pack, size: Number(form.dataset.size) } });
        } else if (data.step === "want") packByScript().then((text) => worker.postMessage({ text }), reject);
        else if (!wanted && data.step) return;  /* no question is waiting for the checker yet */
        else if (data.step === "fetch") say(`Loading the checker: ${Math.round(data.part * 100)}%`, data.part);
        else if (data.step === "start") say("Starting the checker …", null);
        else if (data.ready) { URL.revokeObjectURL(source); started = true; resolve(); }
        else if (data.id === undefined) reject(new Error(data.failed));
        else {
          const { done, failed } = waiting.get(data.id);
          waiting.delete(data.id);
          if (!data.failed) return done(JSON.parse(data.answer));
          console.warn(data.failed);
          failed(new Error("The checker cannot handle this deck. It restarts with the next deck."));
          over(new Error("The checker had to restart. Try again."));
        }
      };
    });
    ready.catch(() => { ready = null; if (worker) worker.terminate(); });
    return ready;
  }
  /* Python takes seconds to start, so it starts when the user turns to the form, or with the page if the pack is cached. */
  const startSoon = () => { start().catch(() => {}); };  /* the next question reports the error */
  const early = () => { if (!navigator.connection?.saveData) startSoon(); };
  for (const turned of ["pointerover", "keyup", "input"]) form.addEventListener(turned, early, { once: true });
  addEventListener("dragenter", early, { once: true });
  if (window.caches && /^http/.test(location.protocol)) {
    caches.open("kb-python").then((held) => held.match(pack)).then((found) => found && startSoon()).catch(() => {});
  }
  async function ask(question) {
    wanted = true;
    await start();
    return new Promise((done, failed) => {
      waiting.set(++asked, { done, failed });
      worker.postMessage({ id: asked, ask: JSON.stringify({ ...question, rules: Object.values(window.kbRules || {}) }) });
    });
  }

  /* A form opens before the checker answers, so that nothing moves when the answer comes: `makeRoom` hides the rest of the page, `arrived` shows it. */
  const makeRoom = () => form.classList.add("kb-check--waiting"), arrived = () => form.classList.remove("kb-check--waiting");

  /* Asks the checker and returns its answer. If there is a problem, calls `tell` and returns null. `command` is the same on the command line. */
  async function answer(question, command, tell = (problem) => complain(problem)) {
    const slow = setTimeout(() => { quiet(); say("Starting the checker …", null); }, started ? 1500 : 100);
    const found = await ask(question).catch((error) => ({ error }));
    clearTimeout(slow);
    quiet();
    if (found.error) { complain(`The checker could not run. ${found.error.message} Use the command line: \`${command}\` does the same.`); return null; }
    if (!found.problem) return found;
    tell(found.problem, found);
    return null;
  }
  /* Runs tasks one after the other. */
  const inTurn = (work) => (turn = turn.then(work).catch(({ message }) => complain(`The checker could not run. ${message}`)));

  /* The verdict */
  /* Shows the deck's page in a shadow root, isolated from other styles. It was written as a full page (16 px per rem, `body`, one `main`). */
  function draw(html) {
    const page = new DOMParser().parseFromString(html, "text/html");
    const css = [...page.querySelectorAll("style")].map((each) => each.textContent).join("\n")
      .replace(/(\d*\.?\d+)rem\b/g, (_all, number) => `${number * 16}px`)
      .replace(/(^|[\s},>])(?:body|html)(?=[\s.{,:])/g, "$1.kb-deck");
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`:host { display: block; --tone: var(--kb-plain); }\n${css}\n.kb-deck { background: none; } .kb-deck { scroll-margin-top: 64px; } .foot { display: none; } .wrap { max-width: none; padding: 0 16px; } .head { border-radius: 4px; } a { color: inherit; font-weight: 600; text-underline-offset: .18em; } a:focus-visible { outline: 2px solid var(--kb-plain); outline-offset: 2px; }`);
    for (const part of page.body.querySelectorAll("header, main, footer")) {
      part.replaceWith(make("div", Object.fromEntries([...part.attributes].map(({ name, value }) => [name, value])), ...part.childNodes));
    }
    for (const head of page.body.querySelectorAll("h1, h2, h3")) head.setAttribute("aria-level", Number(head.tagName[1]) + 2);
    shadow.adoptedStyleSheets = [sheet];
    shadow.replaceChildren(make(`div.kb-deck.${page.body.className}`, ...page.body.childNodes));
  }

  const address = (link) => history.replaceState(history.state, "", link || location.pathname + location.search);

  /* Shows a problem, and removes the previous verdict and its link. */
  function refuse(problem, buttons = [], tell = complain) {
    verdict.hidden = true;
    address("");
    tell(problem, ...buttons);
  }

  /* Shows an answer: its page, the link to it by `key`, and a heading. The heading gets the focus, unless the reader `stays`. */
  function show(found, words, key, stays = false) {
    last = found;
    stale = false;
    title.textContent = words;
    verdict.classList.toggle("kb-judged--legal", found.legal);
    draw(found.page);
    verdict.hidden = false;
    fillReport();
    address(key && found.share && `#${key}=${found.share}`);
    if (stays) return;
    title.focus({ preventScroll: true });
    verdict.scrollIntoView();
  }
  /* Marks the shown answer as outdated after the input has changed. */
  function outdated() {
    if (!last || stale || verdict.hidden) return;
    stale = true;
    title.textContent = `Before your last change: ${title.textContent}`;
  }
  /* Fills the form for error reports with the deck and the verdict, up to the maximum length of an address. */
  function fillReport() {
    const report = part("report");
    if (!report) return;
    const url = new URL(report.href), start = (text) => text.length > 1500 ? `${text.slice(0, 1500)}\n…` : text;
    url.searchParams.set("deck", start(form.querySelector("textarea:not(.kb-asked *)").value));
    url.searchParams.set("verdict", start(shadow.querySelector(".kb-deck").innerText));
    report.href = url.href;
  }

  /* Draws the questions about a party's agreements, stored by game on this device. Calls `changed` after a choice. Returns a function that returns the agreements. */
  function agreed(changed) {
    const KEY = "agreed-on", told = kbKept.get(KEY) || {};
    for (const host of form.querySelectorAll("[data-kb-agreed]")) {
      const game = host.dataset.kbAgreed, questions = kbQuestions(host, () => {
        told[game] = questions.answers();
        kbKept.set(KEY, told);
        changed?.();
      });
      questions.take(told[game] || {});
      questions.draw(JSON.parse(host.dataset.kbAsked), true);
    }
    return () => told;
  }

  /* Input */
  /* Decodes a file in the encodings that the command line reads (kb/files/text.py). */
  function decoded(buffer) {
    const [first, second] = new Uint8Array(buffer), coding = { "255 254": "utf-16le", "254 255": "utf-16be" }[`${first} ${second}`] || "utf-8";
    return new TextDecoder(coding, { fatal: true }).decode(buffer);
  }
  /* Calls `take` with the dropped or opened files, each as name and text. */
  function files(take) {
    async function open(listed) {
      const found = [];
      for (const file of listed) {
        if (file.size > limits.bytes) return complain(`${file.name}: ${limits.large}`);
        try { found.push({ name: file.name, text: decoded(await file.arrayBuffer()) }); } catch (error) {
          return complain(`${file.name}: ${error instanceof TypeError ? limits.coding : `cannot be read: ${error.message}`}`);
        }
      }
      if (found.length) take(found);
    }
    on("open", async ({ target }) => { await open([...target.files]); target.value = ""; }, "change");
    for (const type of ["dragover", "dragleave", "drop"]) addEventListener(type, (event) => {
      if (![...event.dataTransfer?.types || []].includes("Files")) return;
      event.preventDefault();
      form.classList.toggle("kb-check--drop", type === "dragover");
      if (type === "drop") open([...event.dataTransfer.files]);
    });
  }
  /* Returns the text of a field or, if it is empty, of the link that opened the page. Null if the link cannot be read. */
  async function entered(field, command) {
    if (field.value.trim() || !shared) return field.value;
    const opened = await answer({ do: "open", share: shared }, command);
    if (opened) fill(field, opened.text);
    return opened && opened.text;
  }
  function fill(field, text) {
    field.value = text;
    field.setSelectionRange(0, 0);
    shared = "";
    quiet();
  }
  /* Reads the deck in a link. The checker is loaded only when the user presses the button. Does nothing if the deck `isShown`.
     With `buttons` the deck is shown at once, without the checker. `buttons` returns the buttons for it. */
  function linked(key, words, take, isShown = (share) => (last ? last.share : made) === share, buttons = null) {
    const host = part("shared"), pageTitle = document.title;
    async function read(share) {
      try {
        if (!limits.ways.includes(share[0])) throw new kbShared.Broken();
        const name = await kbShared.show(host, share, JSON.parse(host.dataset.games), (told) => [...buttons({ ...told, share }), kbPlain("Copy link", ({ target }) => kbCopy(target, location.href)), kbPlain("Another deck", () => { leave(); address(""); })]);
        document.title = `${name} - ${pageTitle}`;
        form.hidden = true;
        if (verdict) verdict.hidden = true;
        quiet();
        host.querySelector("h2").focus({ preventScroll: true });
        return true;
      } catch (error) {
        if (error instanceof kbShared.Broken) { complain(limits.broken); address(""); return true; }
        console.warn(error);
        return false;
      }
    }
    function leave() {
      if (!host) return;
      document.title = pageTitle;
      host.hidden = true;
      form.hidden = false;
    }
    async function arrive() {
      const [, given] = new RegExp(`^#${key}=([\\w-]+)`).exec(location.hash) || [], now = location.hash.endsWith("&now");
      if (given && buttons && !now && !isShown(given) && await read(given)) return;
      leave();
      if (given && last && last.share === given && verdict) verdict.hidden = false;  /* back from another deck */
      const share = given;  /* without a full stop that a messenger adds to the link */
      if (!share || isShown(share)) return;
      last = null;
      shared = share;
      for (const field of form.querySelectorAll("textarea:not(.kb-asked *)")) { field.value = ""; field.placeholder = words; }
      take(share);
      made = "";
      if (verdict) verdict.hidden = true;  /* it belongs to another deck */
      say(words);
      const go = form.querySelector(".kb-check__go");
      go.focus({ preventScroll: true });
      if (location.hash.endsWith("&now")) go.click();  /* links from other pages of kb have `now`, because the reader has already asked for the check */
    }
    addEventListener("hashchange", arrive);
    setTimeout(arrive);  /* after the page has been set up */
    return leave;
  }
  /* Keeps the input after Back, a reload or a closed tab. `told` returns the input, `take` restores it. Returns a function that records the link made from it. */
  function drafts(key, told, take) {
    const kept = kbKept.get(key), keep = (share = "") => { made = share; kbKept.set(key, { entered: told(), share }); };
    if (kept && location.hash === `#${key}=${kept.share}`) made = kept.share;
    if (kept && (made || !location.hash)) take(kept.entered);
    form.addEventListener("input", () => { keep(); outdated(); });
    return keep;
  }

  /* Output */
  function save(content, called, suffix = "html") {
    const url = URL.createObjectURL(new Blob([content], { type: suffix === "html" ? "text/html" : "application/octet-stream" }));
    make("a", { href: url, download: `${called.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "deck"}.${suffix}` }).click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  }
  on("link", ({ target }) => kbCopy(target, location.href));
  form.addEventListener("submit", (event) => event.preventDefault());
  window.kbChecker = { ask };
  return { form, part, on, chosen, say, complain, refuse, quiet, makeRoom, arrived, ask, answer, inTurn, show, outdated, agreed, files, entered, fill, linked, drafts, save };
};
