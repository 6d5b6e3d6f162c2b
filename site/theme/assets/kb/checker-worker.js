/* The worker that runs the checker. It is a function whose text becomes a script, because a page in a folder can start no other worker.
   It unpacks Python and kb from the pack (kb/site/checker/pack.py describes the format), and passes questions to kb.
   In: {start: {url, size}}, {text} if requested, then {id, ask: json}. Out: {step, part}, {ready}, {id, answer: json}, {id, failed}. */
"use strict";
window.kbCheckerWork = async function () {
  let checker, handed;
  const get = self.fetch.bind(self);
  const damaged = () => new Error("The checker's file is damaged or incomplete. Reload this page. If that does not help, ask the site's owner to upload it again.");

  /* The pack: sent by a page in a folder, or fetched from a server and cached by the browser */
  const text = () => new Promise((done) => { handed = done; postMessage({ step: "want" }); });
  const letters = (text) => {
    const bytes = new Uint8Array(text.length);
    for (let at = 0; at < bytes.length; at++) bytes[at] = text.charCodeAt(at) & 255;
    return bytes;
  };
  /* Extracts the text between the quotes of the script, in place. */
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
  async function fetched({ url, size }) {
    const lost = () => new Error("Could not load the checker: the connection was lost. Try again.");
    const answer = await get(url).catch(() => { throw lost(); });
    if (answer.status === 404) throw new Error("The site has a newer checker. Reload this page.");
    if (!answer.ok) throw new Error(`Could not load the checker: the server returned ${answer.status}.`);
    const parts = [], reader = answer.body.getReader();
    for (let come = 0; ;) {
      const { done, value } = await reader.read().catch(() => { throw lost(); });
      if (done) return new Uint8Array(await new Blob(parts).arrayBuffer());
      parts.push(value);
      come += value.length;
      postMessage({ step: "fetch", part: Math.min(1, come / size) });
    }
  }
  const store = async () => { try { return self.caches ? await caches.open("kb-python") : null; } catch { return null; } };
  async function keep(url, bytes) {
    const held = await store(), folder = url.replace(/[^/]*$/, "");
    if (!held) return;
    try {
      for (const old of await held.keys()) if (old.url.startsWith(folder)) await held.delete(old);
      await held.put(url, new Response(bytes));
    } catch { /* no space: the next visit fetches it again */ }
  }

  /* Python */
  /* Chromium starts no module worker for a page in a folder. Pyodide refuses other workers, which it detects by `importScripts`. */
  self.importScripts = () => { throw new TypeError("This worker imports scripts as modules only."); };
  const script = async (text) => {
    const url = URL.createObjectURL(new Blob([await text], { type: "text/javascript" }));
    try { return await import(url); } finally { URL.revokeObjectURL(url); }
  };
  async function run(bytes) {
    postMessage({ step: "start" });
    let told, at = bytes.indexOf(10) + 1;
    const parts = {}, home = "https://kb.invalid/";  /* this address is never requested, because the pack contains everything that Python needs */
    try { told = JSON.parse(new TextDecoder().decode(bytes.subarray(0, at))); } catch { throw damaged(); }
    for (const [name, length] of told.parts) {
      if (at + length > bytes.length) throw damaged();
      const part = new Response(bytes.subarray(at, at += length)).body.pipeThrough(new DecompressionStream("gzip"));
      parts[name] = new Response(part).arrayBuffer().catch(() => { throw damaged(); });
      parts[name].catch(() => {});  /* the code that reads the part gets the error */
    }
    self.fetch = async (asked) => {
      const name = String(asked.url || asked).replace(home, "");
      if (!(name in parts)) throw new TypeError(`The checker needs ${name}, which is missing from its download.`);
      return new Response(await parts[name], { headers: { "Content-Type": name.endsWith(".wasm") ? "application/wasm" : "application/zip" } });
    };
    await Promise.all(Object.values(parts));
    const [loader, asm] = await Promise.all([script(parts["pyodide.mjs"]), script(parts["pyodide.asm.mjs"])]);
    const python = await loader.loadPyodide({
      indexURL: home, packageBaseUrl: home, lockFileContents: told.lock, createPyodideModule: asm.default,
      env: { KB_SOURCES: "/kb", KB_HOME: "/kb/home", LANG: "C.UTF-8", PYTHONDONTWRITEBYTECODE: "1" },
    });
    python.unpackArchive(await parts["kb.zip"], "zip", { extractDir: "/kb" });
    checker = python.runPython(`
import json, sys
sys.path.insert(0, "/kb")
from kb.site.checker.worker import Checker
with open("/kb/data.json", encoding="utf-8") as file:
    checker = Checker(json.load(file))
checker`);
  }
  /* Starts Python from the cached pack if it is intact, else from the site's. Returns the pack if it must still be cached. */
  async function start({ url, size }) {
    if (!/^https?:/.test(url)) { await run(letters(await text())); return null; }
    const held = await store(), before = held && await held.match(url).catch(() => null);
    if (before) {
      try { await run(new Uint8Array(await before.arrayBuffer())); return null; } catch (error) { console.warn(`The saved copy of the checker cannot be used: ${error.message}`); }
      await held.delete(url).catch(() => {});
    }
    const bytes = unquoted(await fetched({ url, size }));
    await run(bytes);
    return bytes;
  }

  self.onmessage = async ({ data }) => {
    try {
      if (data.start) {
        const bytes = await start(data.start);
        postMessage({ ready: true });
        if (bytes) setTimeout(() => keep(data.start.url, bytes), 200);  /* after the first verdict */
      } else if (data.text !== undefined) {
        handed(data.text);
      } else {
        postMessage({ id: data.id, answer: checker.answer(data.ask) });
      }
    } catch (error) {
      postMessage({ id: data.id, failed: String((error && error.message) || error) });
    }
  };
  postMessage({ step: "here" });
};
