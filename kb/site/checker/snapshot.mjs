/* Run by Node while the site is built: starts Python, loads kb's rules and facts, and keeps a copy of the memory.
   usage: node snapshot.mjs FOLDER-OF-PYODIDE FOLDER-OF-INPUT FOLDER-OF-OUTPUT
   in: engine.zip, lock.json; out: state, pages, layout.json */
import fs from "node:fs";
import { pathToFileURL } from "node:url";
import { laidOut } from "./layout.mjs";

/* Node would print Pyodide's own source, all of it one line, before what went wrong. */
process.on("uncaughtException", (error) => { fs.writeSync(2, `${error.message ?? error}\n`); process.exit(1); });
const [pyodide, input, out] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodide}/pyodide.mjs`));
const py = await loadPyodide({
  indexURL: `${pyodide}/`, packageBaseUrl: `${pyodide}/`, lockFileContents: fs.readFileSync(`${input}/lock.json`, "utf8"),
  _makeSnapshot: true,
  /* One allocator, and no columns of source text: the copy packs a tenth smaller. */
  env: { PYTHONHASHSEED: "0", PYTHONMALLOC: "malloc", PYTHONNODEBUGRANGES: "1", KB_SOURCES: "/kb" },
});
py.unpackArchive(new Uint8Array(fs.readFileSync(`${input}/engine.zip`)), "zip", { extractDir: "/kb" });
const drawn = py.runPython(`
import gc, json, sys
sys.path.insert(0, "/kb")
import encodings.ascii, encodings.latin_1, encodings.utf_8_sig, encodings.unicode_escape, encodings.raw_unicode_escape
from kb.site.checker.desk import Desk
with open("/kb/data.json", encoding="utf-8") as file:
    desk = Desk(json.load(file))
del file
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
    M.HEAPU8.fill(0, place, place + size);
    held.push(place);
  }
}
held.forEach((place) => M._free(place));
const { state, pages, told } = laidOut(py.makeMemorySnapshot(), fs.readFileSync(`${pyodide}/pyodide.asm.wasm`), M._sbrk(0));
fs.writeFileSync(`${out}/state`, state);
fs.writeFileSync(`${out}/pages`, "");
for (const run of pages) fs.appendFileSync(`${out}/pages`, run);
fs.writeFileSync(`${out}/layout.json`, JSON.stringify(told));
console.log(JSON.stringify({ drawn }));
