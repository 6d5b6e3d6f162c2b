/* Keeps pages in the reader's browser, so that what was read, or taken along whole, opens without a network. It asks no other host.

   For each edition there are at most two stores: "read", what the reader opened, and "whole", what was taken along (along.js fills it).
   From the network comes the newest; from a store what the network does not give. The stores of an older edition stay until the pages that
   it opened are closed, and a whole one until a newer one has been taken along. */
"use strict";
const EDITION = "unbuilt", FIRST = [];
const TOP = new URL("./", self.location);
const PATIENCE = 3000, MOST_READ = 200, TAKEN_OVER = ".kb-before", WHOLE = "assets/kb/along.bin";
const TYPES = { html: "text/html", css: "text/css", js: "text/javascript", json: "application/json", svg: "image/svg+xml", png: "image/png", jpg: "image/jpeg", jpeg: "image/jpeg", webp: "image/webp", webmanifest: "application/manifest+json" };
const named = (kind, edition) => `kb ${TOP.pathname} ${kind} ${edition}`;
const url = (address) => new URL(address, TOP).href;

/* Stores of this site: [{name, kind, edition}], and no other's on the same host. */
async function stores() {
  const before = `kb ${TOP.pathname} `, found = (await caches.keys()).filter((name) => name.startsWith(before));
  return found.map((name) => [name, ...name.slice(before.length).split(" ")]).map(([name, kind, edition]) => ({ name, kind, edition }));
}

/* What the browser asks for as an address from the top of the site, without what stands behind "?". */
const addressOf = (href) => new URL(href).pathname.slice(TOP.pathname.length).replace(/(^|\/)$/, "$1index.html");
const isPage = (address) => address.endsWith(".html");
/* What is named by what is in it never changes. */
const isPart = (address) => address.startsWith("assets/kb/search/");
const isFixed = (address) => isPart(address) || /^assets\/(stylesheets|javascripts)\/[^/]+$/.test(address);
const isKept = (address) => isPage(address) || (/^(assets|search)\/.*\.(css|js|json|svg|png|jpe?g|webp)$/.test(address) && !address.startsWith("assets/kb/python/")) || address === "manifest.webmanifest";

/* The whole edition: parts of many files, unpacked as they are asked for (kb/site/hosted.py says how it is written) */
const wholes = new Map(), unpacked = new Map(), MOST_UNPACKED = 8;
const gunzip = (blob) => new Response(blob.stream().pipeThrough(new DecompressionStream("gzip")));
async function wholeOf(name) {
  if (!wholes.has(name)) {
    const kept = await caches.match(url(WHOLE), { cacheName: name });
    if (!kept) return null;
    const blob = await kept.blob(), files = new Map();
    let at = 4 + new DataView(await blob.slice(0, 4).arrayBuffer()).getUint32(0);
    for (const [bytes, listed] of (await gunzip(blob.slice(4, at)).json()).parts) {
      const place = [at, at += bytes];
      let from = 0;
      for (const [address, length] of listed) { files.set(address, [place, from, length]); from += length; }
    }
    wholes.set(name, { blob, files });
  }
  return wholes.get(name);
}
async function fromWhole(name, address) {
  const whole = await wholeOf(name), found = whole && whole.files.get(address);
  if (!found) return null;
  const [place, from, length] = found, at = `${name} ${place}`;
  if (!unpacked.has(at)) {
    if (unpacked.size >= MOST_UNPACKED) unpacked.delete(unpacked.keys().next().value);
    unpacked.set(at, gunzip(whole.blob.slice(...place)).arrayBuffer());
  }
  const bytes = (await unpacked.get(at).catch((error) => { unpacked.delete(at); throw error; })).slice(from, from + length);
  return new Response(bytes, { headers: { "Content-Type": TYPES[address.split(".").pop()] || "application/octet-stream" } });
}
async function fromStore(store, address) {
  try {
    if (store.kind === "whole") return await fromWhole(store.name, address);
    return await caches.match(url(address), { cacheName: store.name });
  } catch (error) { return null; }  /* a store that was cleared, a part that is damaged: the network is asked */
}
async function fromAny(list, address) {
  for (const store of list) {
    const found = await fromStore(store, address);
    if (found) return found;
  }
  return null;
}

/* What is asked for */
async function fromNetwork(asked, address) {
  const answer = await fetch(asked, { cache: "no-cache" });
  if (answer.ok && answer.type === "basic" && !answer.redirected && !/no-store/.test(answer.headers.get("Cache-Control") || "")) {
    const copy = answer.clone();
    await caches.open(named("read", EDITION)).then((store) => store.put(url(address), copy)).catch(() => {});  /* no space is no reason not to show it */
  }
  return answer;
}
async function nothing() {
  const whole = await wholeOf(named("whole", EDITION)).catch(() => null);
  const title = whole ? "No such page" : "No network";
  const words = whole ? "The whole site is on this device, and has no page at this address." : "This page has not been read on this device yet, and the site was not taken along. Pages that were read open without a network.";
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><title>${title}</title><style>:root{color-scheme:light dark}body{max-width:34rem;margin:12vh auto;padding:0 1rem;font:1.05rem/1.6 ui-sans-serif,system-ui,sans-serif}</style><main><h1>${title}</h1><p>${words}</p><p><a href="${TOP.pathname}index.html">To the first page</a></p></main></html>`;
  return new Response(html, { status: 503, headers: { "Content-Type": "text/html" } });
}
async function answer(event, address) {
  const all = await stores(), before = await takenOver();
  const own = all.filter((store) => store.edition === EDITION).sort((a, b) => (a.kind > b.kind ? -1 : 1)), others = all.filter((store) => store.edition !== EDITION);
  const wide = [...own, ...others];
  /* A page that an older edition opened gets what belongs to it. */
  const older = before && before.pages.includes(event.clientId) ? await fromAny(others.filter((store) => before.stores.includes(store.name)), address) : null;
  if (older) return older;
  const at = isFixed(address) ? await fromAny(wide, address) : null;
  if (at) return at;
  const asked = fromNetwork(event.request, address);
  asked.catch(() => {});
  event.waitUntil(asked.catch(() => {}));
  const kept = await fromAny(wide, address);
  if (!kept) return asked.catch(() => (event.request.mode === "navigate" ? nothing() : Response.error()));
  const late = new Promise((done) => setTimeout(done, PATIENCE, kept));
  return Promise.race([asked.then((found) => (found.status >= 500 ? kept : found), () => kept), late]);
}
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(TOP.href) || request.headers.has("range")) return;
  const address = addressOf(request.url);
  if (!isKept(address)) return;
  event.respondWith(answer(event, address));
  if (request.mode === "navigate") event.waitUntil(tidy().catch(() => {}));
});

/* One edition follows another */
async function fetched(store, address, needed) {
  const found = await fetch(url(address), { cache: "no-cache" });
  if (found.ok && !found.redirected) await store.put(url(address), found);
  else if (needed) throw new Error(`${address}: ${found.status}`);
}
async function install() {
  const store = await caches.open(named("read", EDITION)), read = new Set();
  await Promise.all(FIRST.map((address) => fetched(store, address, true)));
  /* What was read in the older edition stays readable in this one, and parts of the search that it loaded are not loaded again. A page that
     is gone is left out. */
  for (const { name } of (await stores()).filter(({ edition, kind }) => edition !== EDITION && kind === "read")) {
    for (const { url: href } of await (await caches.open(name)).keys()) {
      const address = addressOf(href), found = isPart(address) && await caches.match(href, { cacheName: name });
      if (found) await store.put(href, found).catch(() => {});  /* no space: it is fetched when it is asked for */
      else if ((isPage(address) || address.endsWith("search-data.js")) && !FIRST.includes(address)) read.add(address);
    }
  }
  const again = [...read].slice(-MOST_READ), next = async () => { while (again.length) await fetched(store, again.pop(), false); };
  await Promise.all(Array.from({ length: 4 }, next));
}
async function activate() {
  const pages = (await clients.matchAll({ includeUncontrolled: true, type: "window" })).filter((page) => page.url.startsWith(TOP.href));
  const before = (await stores()).filter(({ edition }) => edition !== EDITION).map(({ name }) => name);
  if (before.length) await (await caches.open(named("read", EDITION))).put(url(TAKEN_OVER), new Response(JSON.stringify({ pages: pages.map(({ id }) => id), stores: before })));
  await clients.claim();
}
async function takenOver() {
  const kept = await caches.match(url(TAKEN_OVER), { cacheName: named("read", EDITION) });
  return kept ? kept.json() : null;
}
async function tidy() {
  const before = await takenOver();
  if (!before) return;
  const open = new Set((await clients.matchAll({ includeUncontrolled: true, type: "window" })).map(({ id }) => id));
  if (before.pages.some((id) => open.has(id))) return;
  const whole = await wholeOf(named("whole", EDITION));
  let left = 0;
  for (const store of (await stores()).filter(({ name }) => before.stores.includes(name))) {
    if (store.kind === "whole" && !whole && await wholeOf(store.name)) left += 1;
    else { wholes.delete(store.name); await caches.delete(store.name); }
  }
  if (!left) await (await caches.open(named("read", EDITION))).delete(url(TAKEN_OVER));
}
self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
/* {now: true}: this edition shall take over. {read: href}: a page that was open before there was a worker. {edition: true}: which is this? */
self.addEventListener("message", (event) => {
  const { now, read, edition } = event.data;
  if (now) self.skipWaiting();
  if (edition) event.ports[0].postMessage(EDITION);
  if (read && read.startsWith(TOP.href) && isPage(addressOf(read))) event.waitUntil(caches.open(named("read", EDITION)).then((store) => fetched(store, addressOf(read), false)).catch(() => {}));
});
