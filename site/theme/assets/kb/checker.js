/* The page "Check a deck": takes a deck, starts the checker on the first click, draws its verdict. No rule is decided here. */
"use strict";
(function () {
  const form = document.querySelector("[data-kb-check]");
  if (!form) return;
  const deck = form.querySelector("textarea"), state = form.querySelector("[data-kb-state]"), go = form.querySelector(".kb-check__go");
  const verdict = document.querySelector("[data-kb-verdict]"), title = document.getElementById("kb-verdict"), host = document.querySelector("[data-kb-page]");
  const shadow = host.attachShadow({ mode: "open" });
  const largest = 1000000;
  let worker, ready, name = "deck", shared = "", last = null, asked = 0;
  const waiting = new Map();

  /* ---------- what is said while one waits ---------- */
  function say(text, part) {
    state.replaceChildren();
    if (!text) return;
    const line = document.createElement("p");
    line.textContent = text;
    state.append(line);
    if (part === undefined) return;
    const bar = document.createElement("progress");
    bar.setAttribute("aria-label", text);
    if (part !== null) bar.value = part;
    state.append(bar);
  }
  function complain(text) {
    say(text);
    state.classList.add("kb-check__state--bad");
  }
  function quiet() { state.classList.remove("kb-check__state--bad"); say(""); }

  /* ---------- the checker ---------- */
  const lacking = () => [
    ["WebAssembly", "WebAssembly"], ["DecompressionStream", "unpacking of gzip"], ["Worker", "workers"],
  ].filter(([what]) => !(what in window)).map(([, words]) => words);

  function packByScript() {
    return new Promise((resolve, reject) => {
      const tag = document.createElement("script");
      window.kbPython = (pack) => { resolve(pack); tag.remove(); delete window.kbPython; };
      tag.onerror = () => reject(new Error(`The file ${form.dataset.pack} is not beside this page: copy the whole folder of the site.`));
      tag.src = form.dataset.pack;
      document.head.append(tag);
    });
  }
  function start() {
    if (ready) return ready;
    ready = new Promise((resolve, reject) => {
      const missing = lacking();
      if (missing.length) throw new Error(`This browser lacks ${missing.join(" and ")}. A current Firefox, Chrome, Edge or Safari checks decks; so does \`kb deck check FILE\`.`);
      const source = URL.createObjectURL(new Blob([`(${window.kbCheckerWork})()`], { type: "text/javascript" }));
      worker = new Worker(source, { name: "kb checker" });
      worker.onerror = (event) => reject(new Error(event.message || "This browser starts no worker from a page in a folder. Open the site from a server (`kb site serve`), or use another browser."));
      worker.onmessage = ({ data }) => {
        if (data.step === "here") {
          if (/^https?:$/.test(location.protocol)) worker.postMessage({ start: { url: new URL(form.dataset.pack, location.href).href, size: Number(form.dataset.size) } });
          else packByScript().then((pack) => worker.postMessage({ start: { pack } }), reject);
        } else if (data.step === "fetch") say(`Loading the checker: ${Math.round(data.part * 100)} %`, data.part);
        else if (data.step === "start") say("Starting the checker …", null);
        else if (data.ready) { URL.revokeObjectURL(source); resolve(); }
        else if (data.id === undefined) reject(new Error(data.failed));
        else {
          const { done, failed } = waiting.get(data.id);
          waiting.delete(data.id);
          if (data.failed) failed(new Error(data.failed)); else done(JSON.parse(data.answer));
        }
      };
    });
    ready.catch(() => { ready = null; if (worker) worker.terminate(); });
    return ready;
  }
  async function ask(question) {
    await start();
    return new Promise((done, failed) => {
      waiting.set(++asked, { done, failed });
      worker.postMessage({ id: asked, ask: JSON.stringify(question) });
    });
  }

  /* ---------- the verdict ---------- */
  function counted(findings) {
    const many = ["error", "warning", "note"].map((level) => [findings.filter((each) => each.severity === level).length, level]);
    return many.filter(([number]) => number).map(([number, level]) => `${number} ${level}${number > 1 ? "s" : ""}`).join(", ");
  }
  /* The page of the deck stands in a shadow: its style sheet neither loses nor changes anything around it. It is written for a
     page of its own (16 px to the rem, `body`, one `main`), which is translated here. */
  function draw(html) {
    const page = new DOMParser().parseFromString(html, "text/html");
    const css = [...page.querySelectorAll("style")].map((each) => each.textContent).join("\n")
      .replace(/(\d*\.?\d+)rem\b/g, (_all, number) => `${number * 16}px`)
      .replace(/(^|[\s},>])(?:body|html)(?=[\s.{,:])/g, "$1.kb-deck");
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`:host { display: block; --tone: var(--kb-plain); }\n${css}\n.kb-deck { background: none; } .foot { display: none; } .wrap { max-width: none; padding: 0 16px; } .head { border-radius: 4px; } a { color: inherit; font-weight: 600; text-underline-offset: .18em; } a:focus-visible { outline: 2px solid var(--kb-plain); outline-offset: 2px; }`);
    const body = document.createElement("div");
    body.className = `kb-deck ${page.body.className}`;
    for (const part of page.body.querySelectorAll("header, main, footer")) {
      const plain = document.createElement("div");
      for (const { name: key, value } of part.attributes) plain.setAttribute(key, value);
      plain.append(...part.childNodes);
      part.replaceWith(plain);
    }
    for (const head of page.body.querySelectorAll("h1, h2, h3")) head.setAttribute("aria-level", Number(head.tagName[1]) + 2);
    body.append(...page.body.childNodes);
    shadow.adoptedStyleSheets = [sheet];
    shadow.replaceChildren(body);
  }
  function show(answer) {
    const { report } = answer, said = counted(report.findings);
    last = answer;
    title.textContent = `${report.character}: ${report.legal ? "legal" : "not legal"}${said ? ` (${said})` : ""}`;
    verdict.classList.toggle("kb-judged--legal", report.legal);
    draw(answer.page);
    verdict.hidden = false;
    history.replaceState(null, "", `#deck=${answer.share}`);
    title.focus({ preventScroll: true });
    verdict.scrollIntoView({ block: "start", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
  }
  function options() {
    const given = {};
    for (const field of form.querySelectorAll("[data-kb-option]")) {
      const text = field.value.trim(), key = field.dataset.kbOption;
      if (field.type === "checkbox") { if (field.checked) given[key] = true; }
      else if (text) given[key] = "kbMany" in field.dataset ? text.split(",").map((each) => each.trim()).filter(Boolean) : text;
    }
    return given;
  }
  async function check() {
    quiet();
    go.disabled = true;
    try {
      if (shared && !deck.value.trim()) {
        const opened = await ask({ do: "open", share: shared });
        if (opened.problem) { verdict.hidden = true; return complain(opened.problem); }
        deck.value = opened.text;
        shared = "";
      }
      if (!deck.value.trim()) { complain("There is no deck yet: paste one, or open its file."); return deck.focus(); }
      say("Starting the checker …", null);
      const answer = await ask({ do: "check", text: deck.value, name, options: options() });
      if (answer.problem) { verdict.hidden = true; complain(answer.problem); return deck.focus(); }
      quiet();
      show(answer);
    } catch (error) {
      complain(`The checker could not run. ${error.message} On the command line \`kb deck check FILE\` gives the same verdict.`);
    } finally { go.disabled = false; }
  }

  /* ---------- decks that come in ---------- */
  function take(text, called) {
    deck.value = text;
    name = called || "deck";
    shared = "";
    quiet();
  }
  async function open(file) {
    if (!file) return;
    if (file.size > largest) return complain(`${file.name} is larger than a megabyte; that is not a deck file.`);
    take(new TextDecoder("utf-8").decode(await file.arrayBuffer()), file.name);
    check();
  }
  form.addEventListener("submit", (event) => { event.preventDefault(); check(); });
  deck.addEventListener("input", () => { name = "deck"; });
  deck.addEventListener("keydown", (event) => { if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) { event.preventDefault(); check(); } });
  form.querySelector("[data-kb-open]").addEventListener("change", (event) => { open(event.target.files[0]); event.target.value = ""; });
  for (const button of form.querySelectorAll("[data-kb-example]")) button.addEventListener("click", () => { take(button.dataset.kbExample); deck.focus(); });
  const carries = (event) => event.dataTransfer && [...event.dataTransfer.types].includes("Files");
  let inside = 0;
  addEventListener("dragenter", (event) => { if (carries(event)) { inside++; form.classList.add("kb-check--drop"); } });
  addEventListener("dragleave", (event) => { if (carries(event) && --inside <= 0) { inside = 0; form.classList.remove("kb-check--drop"); } });
  addEventListener("dragover", (event) => { if (carries(event)) event.preventDefault(); });
  addEventListener("drop", (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    inside = 0;
    form.classList.remove("kb-check--drop");
    open(event.dataTransfer.files[0]);
  });

  /* ---------- what goes out ---------- */
  async function copy(button, text) {
    const words = button.textContent;
    try { await navigator.clipboard.writeText(text); } catch {
      const area = Object.assign(document.createElement("textarea"), { value: text });
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
    }
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = words; }, 1500);
  }
  const button = (which) => verdict.querySelector(`[data-kb-${which}]`);
  button("link").addEventListener("click", (event) => copy(event.currentTarget, `${location.href.replace(/#.*/, "")}#deck=${last.share}`));
  button("json").addEventListener("click", (event) => copy(event.currentTarget, JSON.stringify([last.report], null, 2)));
  button("save").addEventListener("click", () => {
    const url = URL.createObjectURL(new Blob([last.alone], { type: "text/html" }));
    const link = Object.assign(document.createElement("a"), { href: url, download: `${last.report.character.replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "deck"}.html` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 1000);
  });

  /* ---------- a deck in the link ---------- */
  function fromLink() {
    const found = /^#deck=([\w-]+)$/.exec(location.hash);
    if (!found || (last && last.share === found[1])) return;
    shared = found[1];
    deck.value = "";
    say("This link holds a deck. Check it to see it: the checker is loaded then.");
    go.focus({ preventScroll: true });
  }
  addEventListener("hashchange", fromLink);
  fromLink();
  window.kbChecker = { ask };
})();
