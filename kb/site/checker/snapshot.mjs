/* Run by Node while the site is built: starts Python, loads kb's rules and facts, and keeps a copy of the memory.
   usage: node snapshot.mjs FOLDER-OF-PYODIDE FOLDER-OF-INPUT FOLDER-OF-OUTPUT
   in: engine, engine.json, lock.json; out: state, pages, layout.json */
import crypto from "node:crypto";
import fs from "node:fs";
import { pathToFileURL } from "node:url";
import { emptied, laidOut } from "./layout.mjs";

/* Node would print Pyodide's own source, all of it one line, before what went wrong. */
process.on("uncaughtException", (error) => { fs.writeSync(2, `${error.message ?? error}\n`); process.exit(1); });
const [pyodide, input, out] = process.argv.splice(1).slice(1);  /* Python would keep this file's path */
standStill();
once();
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
const py = await loadPyodide({
  indexURL: `${pyodide}/`, packageBaseUrl: `${pyodide}/`, lockFileContents: fs.readFileSync(`${input}/lock.json`, "utf8"),
  _makeSnapshot: true,
  /* One allocator, and no columns of source text: the copy packs a tenth smaller. */
  env: {
    PYTHONHASHSEED: "0", PYTHONMALLOC: "malloc", PYTHONNODEBUGRANGES: "1", PYTHONDONTWRITEBYTECODE: "1",
    KB_SOURCES: "/kb", KB_HOME: "/kb/home", LANG: "C.UTF-8",
  },
});
const library = fs.openSync(`${pyodide}/python_stdlib.zip`), engine = fs.openSync(`${input}/engine`);
outside(py.FS.lookupPath("/lib/python314.zip").node, library, 0, fs.fstatSync(library).size);
let from = 0;
for (const [path, size] of JSON.parse(fs.readFileSync(`${input}/engine.json`, "utf8"))) {
  py.FS.mkdirTree(`/kb/${path}`.replace(/\/[^/]*$/, ""));
  outside(py.FS.create(`/kb/${path}`), engine, from, size);
  from += size;
}
py.runPython(`
import gc, json, sys
sys.path.insert(0, "/kb")
import encodings.ascii, encodings.latin_1, encodings.utf_8_sig, encodings.unicode_escape, encodings.raw_unicode_escape
from kb.site.checker.desk import Desk
`);
sweep();
py.runPython(`
with open("/kb/data.json", encoding="utf-8") as file:
    desk = Desk(json.load(file))
del file
`);
sweep();
const drawn = py.runPython(`
drawn = desk.warm_up()
gc.collect()
gc.freeze()
drawn
`);
/* What was freed is not empty: zeros pack, the remains of source texts do not. */
const M = py._module, held = [];
let end = M._sbrk(0);
for (let size = 1 << 20; size >= 64; size >>= 1) {
  for (;;) {
    const place = M._malloc(size);
    if (M._sbrk(0) > end) { M._free(place); end = M._sbrk(0); break; }
    emptied(M.HEAPU8, place, place + size);
    held.push(place);
  }
}
held.forEach((place) => M._free(place));
sweep();
/* What tells of the state, without the copy of the memory that Pyodide puts behind it: the memory is laid out where it stands. */
const memory = M.HEAPU8;
M.HEAP8 = new Int8Array();
fs.writeFileSync(`${out}/state`, py.makeMemorySnapshot());
const { pages, told } = laidOut(memory, fs.openSync(`${pyodide}/pyodide.asm.wasm`), M._sbrk(0));
fs.writeFileSync(`${out}/pages`, "");
for (const run of pages) fs.appendFileSync(`${out}/pages`, run);
fs.writeFileSync(`${out}/layout.json`, JSON.stringify(told));
console.log(JSON.stringify({ drawn }));

/* Leaves the content of one of Python's files in a file outside, from a place there on: read, it takes no memory of ours. */
function outside(node, file, from, size) {
  letGo(node.contents);
  node.contents = new Uint8Array();
  node.usedBytes = size;
  node.stream_ops = {
    ...node.stream_ops,
    read: (_stream, buffer, at, length, place) => {
      const left = Math.min(length, size - place);
      return left > 0 ? fs.readSync(file, buffer, at, left, from + place) : 0;
    },
  };
}

/* Lets the bytes of the program go once Node has taken its copy: Pyodide would keep them to the end. */
function once() {
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = (program, imports) => {
    const made = instantiate(program, imports);
    if (ArrayBuffer.isView(program)) letGo(program);
    return made;
  };
}
function letGo(bytes) {
  if (bytes.length) structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
}

/* What nothing refers to any more goes now, and so does what was compiled and may not be needed again. */
function sweep() {
  globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
}

/* Equal sources are to give equal bytes, whenever, where and by whomever the site is built. In the page time and chance are real:
   checker-worker.js sows Python's anew. */
function standStill() {
  const then = Date.UTC(2020, 0, 1);
  process.env.TZ = "UTC";
  globalThis.Date = class extends Date {
    constructor(...told) { super(...(told.length ? told : [then])); }
    static now() { return then; }
  };
  performance.now = () => 0;
  Math.random = () => 0.5;
  crypto.randomFillSync = globalThis.crypto.getRandomValues = (bytes) => bytes.fill(7);
  process.getuid = () => 0;
  process.umask = () => 0o022;
}
