/* Lays a copy of Python's memory out so that it is small: pages of nothing are left out, and what the program brings along itself
   is not held twice. checker-worker.js puts it together again. */
import fs from "node:fs";

const PAGE = 4096;
/* Shorter data of the program are not worth a line of the table. */
const SHORTEST = 96;
const NOTHING = Buffer.alloc(PAGE);

/* Makes pages between two places nothing. To read what is nothing takes no room, to write it does. */
export function emptied(memory, from, end) {
  for (let at = from; at < end; at += PAGE) {
    const to = Math.min(at + PAGE, end);
    if (NOTHING.compare(memory, at, to, 0, to - at) !== 0) memory.fill(0, at, to);
  }
}

/* Where the data of a program, an open file, stand: [place in the file, place in memory, bytes]. */
function dataOf(program) {
  const found = [], end = fs.fstatSync(program).size, few = Buffer.alloc(16);
  let at = 8, next;
  const look = () => { fs.readSync(program, few, 0, few.length, at); next = 0; };
  const number = () => {
    for (let value = 0, shift = 0; ; shift += 7) {
      const byte = few[next++];
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  while (at < end) {
    look();
    const section = few[next++], length = number(), from = at + next;
    if (section === 11) {
      at = from;
      look();
      let many = number();
      for (at += next; many > 0; many--) {
        look();
        if (number() !== 0 || few[next++] !== 0x41) throw new Error("The program's data do not stand at fixed places.");
        const place = number();
        next++;  /* the end of the place's expression */
        const bytes = number();
        at += next;
        found.push([at, place, bytes]);
        at += bytes;
      }
    }
    at = from + length;
  }
  return found;
}

/* Python's memory, the program it belongs to (an open file), and where what is in use ends: which pages hold something [place, bytes],
   those pages, and what of them is the program's [place in the program, place in the pages, bytes]. Nothing is copied: the memory is of no
   use afterwards. */
export function laidOut(memory, program, end) {
  const runs = [], before = [];  /* for each run: how much the pages hold before it */
  let held = 0;
  for (let at = 0; at < memory.length; at += PAGE) {
    const last = runs.at(-1);
    if (NOTHING.compare(memory, at, at + PAGE) === 0) continue;
    if (last && last[0] + last[1] === at) last[1] += PAGE;
    else { runs.push([at, PAGE]); before.push(held); }
    held += PAGE;
  }
  const same = [], some = new Uint8Array(1 << 16);
  for (const [from, place, length] of dataOf(program)) {
    const run = runs.findIndex((each) => each[0] <= place && place + length <= each[0] + each[1]);
    if (length < SHORTEST || run < 0) continue;
    const to = before[run] + place - runs[run][0];
    for (let done = 0; done < length; ) {
      const read = fs.readSync(program, some, 0, Math.min(some.length, length - done), from + done);
      for (let at = 0; at < read; at++) memory[place + done + at] ^= some[at];
      done += read;
    }
    same.push([from, to, length]);
  }
  const pages = runs.map(([at, size]) => memory.subarray(at, at + size));
  return { pages, told: { size: Math.max(end, runs.at(-1)[0] + runs.at(-1)[1]), runs, same } };
}
