/* Keeps pages in the reader's browser: what the reader opened in one store, each whole edition that was taken along (along.js) in one of its own,
   until a newer one is. The network's answer comes first. No other host is asked. */
"use strict";
const EDITION = "unbuilt", FIRST = [];
const TOP = new URL("./", self.location);
const READ = `kb ${TOP.pathname} read`, WHOLES = `kb ${TOP.pathname} whole `, OWN = WHOLES + EDITION;
const PATIENCE = 3000, MOST_READ = 500, WHOLE = "assets/kb/along.bin", DATA = "assets/kb/search-data.js";
const TYPES = { html: "text/html", css: "text/css", js: "text/javascript", json: "application/json", svg: "image/svg+xml", png: "image/png", jpg: "image/jpeg", jpeg: "image/jpeg", webp: "image/webp", webmanifest: "application/manifest+json" };
const url = (address) => new URL(address, TOP).href;

/* An address from the top of the site. */
const addressOf = (href) => new URL(href).pathname.slice(TOP.pathname.length).replace(/(^|\/)$/, "$1index.html");
const isPage = (address) => address.endsWith(".html");
/* What is named by what is in it never changes. */
const isFixed = (address) => /^assets\/(kb\/search|stylesheets|javascripts)\/[^/]+$/.test(address);
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
/* What is kept of an address: of this edition, as it was read, of another edition that was taken along. */
async function kept(address) {
  const older = (await caches.keys()).filter((name) => name.startsWith(WHOLES) && name !== OWN);
  for (const name of [OWN, READ, ...older]) {
    try {
      const found = await (name === READ ? caches.match(url(address), { cacheName: READ }) : fromWhole(name, address));
      if (found) return found;
    } catch (error) { /* a store that was cleared, a part that is damaged: the network is asked */ }
  }
  return null;
}

/* What is asked for */
async function fromNetwork(asked, address) {
  const answer = await fetch(asked, { cache: "no-cache" });
  if (answer.ok && answer.type === "basic" && !answer.redirected && !/no-store/.test(answer.headers.get("Cache-Control") || "")) {
    const copy = answer.clone();
    await caches.open(READ).then((store) => store.put(url(address), copy)).catch(() => {});  /* no space is no reason not to show it */
  }
  return answer;
}
async function nothing() {
  const whole = await wholeOf(OWN).catch(() => null);
  const title = whole ? "No such page" : "No network", words = whole ? "The whole site is on this device, and has no page at this address." : "This page has not been read on this device yet, and the site was not taken along.";
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${title}</title><main><h1>${title}</h1><p>${words}</p><p><a href="${TOP.pathname}index.html">To the first page</a></p></main></html>`;
  return new Response(html, { status: 503, headers: { "Content-Type": "text/html" } });
}
async function answer(event, address) {
  const fixed = isFixed(address) && await kept(address);
  if (fixed) return fixed;
  const asked = fromNetwork(event.request, address);
  asked.catch(() => {});
  event.waitUntil(asked.catch(() => {}));
  const held = await kept(address);
  if (!held) return asked.catch(() => (event.request.mode === "navigate" ? nothing() : Response.error()));
  const late = new Promise((done) => setTimeout(done, PATIENCE, held));
  return Promise.race([asked.then((found) => (found.status >= 500 ? held : found), () => held), late]);
}
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(TOP.href) || request.headers.has("range")) return;
  const address = addressOf(request.url);
  if (!isKept(address)) return;
  event.respondWith(answer(event, address));
});

/* One edition follows another: what was read stays readable, the newest of it; and searches read the data of this edition. */
async function keep(address) {
  const found = await fetch(url(address), { cache: "no-cache" });
  if (!found.ok || found.redirected) throw new Error(`${address}: ${found.status}`);
  await (await caches.open(READ)).put(url(address), found);
}
async function install() {
  const searched = await caches.match(url(DATA), { cacheName: READ });
  await Promise.all([...FIRST, ...(searched ? [DATA] : [])].map(keep));
}
async function activate() {
  const store = await caches.open(READ), read = await store.keys(), names = await caches.keys();
  await Promise.all(read.slice(0, -MOST_READ).map((each) => store.delete(each)));
  const old = names.filter((name) => name.startsWith(`${READ} `) || (names.includes(OWN) && name.startsWith(WHOLES) && name !== OWN));
  await Promise.all(old.map((name) => caches.delete(name)));
  await store.put(url("edition"), new Response(EDITION));
  await clients.claim();
}
self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
/* {now: true}: this edition shall take over. {read: href}: a page that was open before there was a worker. */
self.addEventListener("message", (event) => {
  const { now, read } = event.data;
  if (now) self.skipWaiting();
  if (read && read.startsWith(TOP.href) && isPage(addressOf(read))) event.waitUntil(keep(addressOf(read)).catch(() => {}));
});
