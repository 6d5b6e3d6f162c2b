/* Lays a copy of Python's memory out so that it is small: pages of nothing are left out, and what the program brings along itself
   is not held twice. checker-worker.js puts it together again. */

const PAGE = 4096;
/* Shorter data of the program are not worth a line of the table. */
const SHORTEST = 96;

/* Where the program's data stand: [place in the file, place in memory, bytes]. */
function dataOf(program) {
  const found = [];
  let at = 8;
  const number = () => {
    for (let value = 0, shift = 0; ; shift += 7) {
      const byte = program[at++];
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  while (at < program.length) {
    const section = program[at++], end = number() + at;
    if (section === 11) {
      for (let many = number(); many > 0; many--) {
        if (number() !== 0 || program[at++] !== 0x41) throw new Error("The program's data do not stand at fixed places.");
        const place = number();
        at++;  /* the end of the place's expression */
        const length = number();
        found.push([at, place, length]);
        at += length;
      }
    }
    at = end;
  }
  return found;
}

/* A copy as Pyodide makes it, the program it belongs to, and where its memory ends: what tells of the state, which pages hold
   something [place, bytes], those pages, and what of them is the program's [place in the program, place in the pages, bytes]. */
export function laidOut(copy, program, end) {
  const start = new Uint32Array(copy.buffer, copy.byteOffset, 2)[1];
  const state = copy.subarray(0, start), memory = copy.subarray(start), runs = [];
  let held = 0;
  const before = [];  /* for each run: how much the pages hold before it */
  for (let at = 0; at < memory.length; at += PAGE) {
    const page = memory.subarray(at, at + PAGE), last = runs.at(-1);
    if (page.every((byte) => byte === 0)) continue;
    if (last && last[0] + last[1] === at) last[1] += page.length;
    else { runs.push([at, page.length]); before.push(held); }
    held += page.length;
  }
  const same = [];
  for (const [from, place, length] of dataOf(program)) {
    const run = runs.findIndex(([at, size]) => at <= place && place + length <= at + size);
    if (length < SHORTEST || run < 0) continue;
    const to = before[run] + place - runs[run][0];
    for (let at = 0; at < length; at++) memory[place + at] ^= program[from + at];
    same.push([from, to, length]);
  }
  const pages = runs.map(([at, size]) => memory.subarray(at, at + size));
  return { state, pages, told: { size: Math.max(end, runs.at(-1)[0] + runs.at(-1)[1]), runs, same } };
}
