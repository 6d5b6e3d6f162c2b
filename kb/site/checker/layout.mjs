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

/* Python's memory, the program it belongs to, and where what is in use ends: which pages hold something [place, bytes], those pages, and
   what of them is the program's [place in the program, place in the pages, bytes]. Nothing is copied: the memory is of no use afterwards. */
export function laidOut(memory, program, end) {
  const runs = [], words = new Int32Array(memory.buffer, memory.byteOffset, memory.length / 4);
  let held = 0;
  const before = [];  /* for each run: how much the pages hold before it */
  for (let at = 0; at < memory.length; at += PAGE) {
    const last = runs.at(-1);
    if (words.subarray(at / 4, (at + PAGE) / 4).every((word) => word === 0)) continue;
    if (last && last[0] + last[1] === at) last[1] += PAGE;
    else { runs.push([at, PAGE]); before.push(held); }
    held += PAGE;
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
  return { pages, told: { size: Math.max(end, runs.at(-1)[0] + runs.at(-1)[1]), runs, same } };
}
