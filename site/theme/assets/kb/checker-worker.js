/* The worker of "Check a deck", as a function whose text becomes a script: a page in a folder may start no other.
   It unpacks Python with kb's rules and facts in its memory, and hands questions to it. Nothing but the pack is fetched.
   In: {start: {url, size} or {pack}}, then {id, ask: json}. Out: {step, part}, {ready}, {id, answer: json}, {id, failed}. */
"use strict";
window.kbCheckerWork = async function () {
  let desk;
  const kept = "kb-python";

  const bytes = (text) => {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
    const raw = atob(text), made = new Uint8Array(raw.length);
    for (let at = 0; at < raw.length; at++) made[at] = raw.charCodeAt(at);
    return made;
  };
  const unpacked = (text) => new Response(bytes(text)).body.pipeThrough(new DecompressionStream("gzip"));
  /* Chromium starts no module worker from a page in a folder, and Pyodide refuses others, which it tells by this. */
  self.importScripts = () => { throw new TypeError("Scripts are imported as modules here."); };
  const script = async (text) => {
    const url = URL.createObjectURL(new Blob([await new Response(unpacked(text)).text()], { type: "text/javascript" }));
    try { return await import(url); } finally { URL.revokeObjectURL(url); }
  };

  /* The pack from a server: kept in the browser's own store where there is one, and told how far it has come. */
  async function fetched({ url, size }) {
    const store = self.caches ? await caches.open(kept).catch(() => null) : null;
    const before = store && (await store.match(url));
    if (before) return before.text();
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
    const parts = [], reader = answer.body.getReader();
    for (let come = 0; ;) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
      come += value.length;
      postMessage({ step: "fetch", part: Math.min(1, come / size) });
    }
    const whole = new Blob(parts, { type: "text/javascript" });
    if (store) {
      for (const old of await store.keys()) await store.delete(old);
      await store.put(url, new Response(whole)).catch(() => {});
    }
    return whole.text();
  }

  async function start({ pack, url, size }) {
    if (!pack) {
      const text = await fetched({ url, size });
      pack = JSON.parse(text.slice(text.indexOf("(") + 1, text.lastIndexOf(")")));
    }
    postMessage({ step: "start" });
    const home = "https://kb.invalid/";  /* never asked: whatever Python wants is in the pack */
    self.fetch = async (asked) => {
      const wanted = String(asked.url || asked);
      if (wanted.endsWith(".wasm")) return new Response(unpacked(pack.wasm), { headers: { "Content-Type": "application/wasm" } });
      if (wanted.endsWith("none.zip")) return new Response(bytes(pack.none));
      throw new TypeError(`Python asked for ${wanted}, which is not in the pack.`);
    };
    const memory = new Response(unpacked(pack.memory)).arrayBuffer();
    const [loader, asm] = await Promise.all([script(pack.loader), script(pack.asm)]);
    const snapshot = new Uint8Array(await memory);
    /* Pyodide lays the copy over its memory, and does not make room for it: one large allocation does. */
    const roomy = async (settings) => {
      const made = await asm.default(settings), more = snapshot.length - made.HEAP8.length;
      if (more > 0) made._free(made._malloc(snapshot.length));
      return made;
    };
    const python = await loader.loadPyodide({
      indexURL: home, packageBaseUrl: home, lockFileContents: pack.lock, stdLibURL: `${home}none.zip`,
      createPyodideModule: roomy, _loadSnapshot: snapshot,
      fsInit: (fs) => {
        for (const [path, text] of Object.entries(pack.files)) {
          fs.mkdirTree(path.replace(/\/[^/]*$/, ""));
          fs.writeFile(path, text);
        }
      },
    });
    desk = python.globals.get("desk");
  }

  self.onmessage = async ({ data }) => {
    try {
      if (data.start) {
        await start(data.start);
        postMessage({ ready: true });
      } else {
        postMessage({ id: data.id, answer: desk.answer(data.ask) });
      }
    } catch (error) {
      postMessage({ id: data.id, failed: String((error && error.message) || error) });
    }
  };
  postMessage({ step: "here" });
};
