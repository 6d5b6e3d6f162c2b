/* The worker of "Check a deck", as a function whose text becomes a script: a page in a folder may start no other.
   It unpacks Python with kb's rules and facts in its memory, and hands questions to it. Nothing but the pack is fetched
   (kb/site/checker/script.py says how it is written).
   In: {start: {url, size}}, {text} where it is wanted, then {id, ask: json}. Out: {step, part}, {ready}, {id, answer: json}, {id, failed}. */
"use strict";
window.kbCheckerWork = async function () {
  let desk;
  const get = self.fetch.bind(self);
  const damaged = () => new Error("The checker's file is damaged or incomplete. Load this page again; if that does not help, whoever hosts it copies the site anew.");

  /* ---------- bytes ---------- */
  const raw = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const letters = (text) => {
    const bytes = new Uint8Array(text.length);
    for (let at = 0; at < bytes.length; at++) bytes[at] = text.charCodeAt(at) & 255;
    return bytes;
  };
  /* What stands between the quotes of the script; in place. */
  const unquoted = (bytes) => {
    let at = bytes.indexOf(34) + 1, to = 0;
    const end = bytes.lastIndexOf(34);
    for (; at < end; at++) {
      const byte = bytes[at];
      if (byte !== 92) { bytes[to++] = byte; continue; }
      const next = bytes[++at];
      bytes[to++] = next === 110 ? 10 : next === 114 ? 13 : next;
    }
    return bytes.subarray(0, to);
  };
  const joined = (parts, length) => {
    const whole = new Uint8Array(length);
    let at = 0;
    for (const part of parts) { whole.set(part, at); at += part.length; }
    return whole;
  };
  async function gathered(stream, length) {
    const bytes = new Uint8Array(length), reader = stream.getReader();
    for (let come = 0; ;) {
      const { done, value } = await reader.read();
      if (done && come === length) return bytes;
      if (done || come + value.length > length) throw damaged();
      bytes.set(value, come);
      come += value.length;
    }
  }
  const unpacked = (bytes, length) => gathered(new Response(bytes).body.pipeThrough(new DecompressionStream("gzip")), length)
    .catch(() => { throw damaged(); });

  /* A pack's line and its parts, each unpacked or on the way. */
  function opened(bytes) {
    let told, at = bytes.indexOf(10) + 1;
    try { told = JSON.parse(new TextDecoder().decode(bytes.subarray(0, at))); } catch { throw damaged(); }
    const parts = {};
    for (const [name, length, whole] of told.parts) {
      if (at + length > bytes.length) throw damaged();
      const part = bytes.subarray(at, at += length);
      parts[name] = told.plain ? part : unpacked(part, whole);
    }
    for (const part of Object.values(parts)) Promise.resolve(part).catch(() => {});  /* whoever wants it is told */
    return { told, parts };
  }

  /* ---------- the pack from a server, or from the page in a folder, and what the browser keeps of it: unpacked, as it starts faster so ---------- */
  const served = (url) => /^https?:/.test(url);
  /* What is kept of a folder has an address of this kind, as browsers keep nothing under others. It is never asked. */
  const kept = (url) => (served(url) ? url : new URL(`https://kb.invalid/${url}`).href);
  let handed;
  const text = () => new Promise((done) => { handed = done; postMessage({ step: "want" }); });
  const store = async () => { try { return self.caches ? await caches.open("kb-python") : null; } catch { return null; } };
  const digest = async (bytes) => [...new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))].join(" ");

  async function fetched({ url, size }) {
    let answer;
    const parts = [], lost = () => new Error("The checker did not come: the connection was lost. Try again.");
    try { answer = await get(url); } catch { throw lost(); }
    if (answer.status === 404) throw new Error("The server has another checker by now: load this page again.");
    if (!answer.ok) throw new Error(`The checker did not come: the server answered ${answer.status}.`);
    const reader = answer.body.getReader();
    let come = 0;
    for (;;) {
      const { done, value } = await reader.read().catch(() => { throw lost(); });
      if (done) break;
      parts.push(value);
      come += value.length;
      postMessage({ step: "fetch", part: Math.min(1, come / size) });
    }
    return joined(parts, come);
  }
  async function found(url) {
    const held = await store();
    try {
      const answer = held && (await held.match(url));
      return answer && { sum: answer.headers.get("kb-sum"), bytes: new Uint8Array(await answer.arrayBuffer()) };
    } catch { return null; }
  }
  async function forget(url) {
    const held = await store();
    if (held) await held.delete(url).catch(() => {});
  }
  async function keep(url, { told, parts }) {
    const held = await store(), folder = url.replace(/[^/]*$/, "");
    if (!held) return;
    const names = told.parts.map(([name]) => name), plain = await Promise.all(names.map((name) => parts[name]));
    const line = JSON.stringify({ ...told, same: [], plain: true, parts: names.map((name, nr) => [name, plain[nr].length, plain[nr].length]) });
    const all = [new TextEncoder().encode(`${line}\n`), ...plain], whole = joined(all, all.reduce((sum, each) => sum + each.length, 0));
    try {
      for (const old of await held.keys()) if (old.url !== url && old.url.startsWith(folder)) await held.delete(old);
      await held.put(url, new Response(whole, { headers: { "kb-sum": await digest(whole) } }));
    } catch { /* no room: the next visit fetches it again */ }
  }

  /* ---------- Python ---------- */
  /* Chromium starts no module worker from a page in a folder, and Pyodide refuses others, which it tells by this. */
  self.importScripts = () => { throw new TypeError("Scripts are imported as modules here."); };
  const script = async (text) => {
    const url = URL.createObjectURL(new Blob([await text], { type: "text/javascript" }));
    try { return await import(url); } finally { URL.revokeObjectURL(url); }
  };
  /* Lay the copy over the memory: its pages, nothing between them. */
  function laid(memory, runs, pages) {
    let free = 0, from = 0;
    const clear = (end) => {
      const words = new Uint32Array(memory.buffer, free, (end - free) >> 2);
      for (let at = 0; at < words.length; at++) if (words[at] !== 0) words[at] = 0;  /* to read what is nothing takes no room */
    };
    for (const [at, length] of runs) {
      clear(at);
      memory.set(pages.subarray(from, from += length), at);
      free = at + length;
    }
    clear(memory.length);
  }

  async function run({ told, parts }) {
    postMessage({ step: "start" });
    const home = "https://kb.invalid/";  /* never asked: whatever Python wants is in the pack */
    self.fetch = async (asked) => {
      const wanted = String(asked.url || asked);
      if (wanted.endsWith(".wasm")) return new Response(await parts.wasm, { headers: { "Content-Type": "application/wasm" } });
      if (wanted.endsWith("none.zip")) return new Response(raw(told.none));
      throw new TypeError(`Python asked for ${wanted}, which is not in the pack.`);
    };
    const [loader, asm] = await Promise.all([script(parts.loader), script(parts.asm)]);
    const roomy = async (settings) => {
      const made = await asm.default(settings), pages = await parts.pages, program = await parts.wasm;
      for (const [from, to, length] of told.same) for (let at = 0; at < length; at++) pages[to + at] ^= program[from + at];
      /* What is free already counts for what is asked for: the memory has grown when it is as large, not when it was asked. */
      for (let lacks; (lacks = told.size - made.HEAPU8.length) > 0 && made._malloc(lacks) !== 0;) continue;
      laid(made.HEAPU8, told.runs, pages);
      return made;
    };
    const python = await loader.loadPyodide({
      indexURL: home, packageBaseUrl: home, lockFileContents: told.lock, stdLibURL: `${home}none.zip`,
      createPyodideModule: roomy, _loadSnapshot: (await parts.state).slice(),  /* at a place of its own: it is read as whole words */
      fsInit: (fs) => {
        for (const [path, text] of Object.entries(told.files)) {
          fs.mkdirTree(path.replace(/\/[^/]*$/, ""));
          fs.writeFile(path, text);
        }
      },
    });
    python.pyimport("random").seed();  /* the copy holds the same chance for all */
    desk = python.globals.get("desk");
  }

  /* From what is kept, when that is sound; else from where the site lies, which gives what is to be kept. */
  async function start({ url, size }) {
    const before = await found(kept(url));
    if (before) {
      try {
        const sum = digest(before.bytes);  /* meanwhile */
        await run(opened(before.bytes));
        if ((await sum) === before.sum) return null;
      } catch (error) { console.warn(`What was kept of the checker is of no use: ${error.message}`); }
      await forget(kept(url));
    }
    const pack = opened(served(url) ? unquoted(await fetched({ url, size })) : letters(await text()));
    await run(pack);
    return pack;
  }

  self.onmessage = async ({ data }) => {
    try {
      if (data.start) {
        const pack = await start(data.start);
        postMessage({ ready: true });
        if (pack) setTimeout(() => keep(kept(data.start.url), pack), 200);  /* after the first verdict */
      } else if (data.text !== undefined) {
        handed(data.text);
      } else {
        postMessage({ id: data.id, answer: desk.answer(data.ask) });
      }
    } catch (error) {
      postMessage({ id: data.id, failed: String((error && error.message) || error) });
    }
  };
  postMessage({ step: "here" });
};
