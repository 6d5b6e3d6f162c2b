/* Stores the pages that were read in the browser, and the whole edition if the reader saved it (along.js). The answer of the
   network is preferred. No other host is contacted. */
"use strict";
const EDITION = "unbuilt", FIRST = [];
const TOP = new URL("./", self.location), READ = `kb ${TOP.pathname} read`, WHOLES = `kb ${TOP.pathname} whole `;
const PATIENCE = 3000, WHOLE = "assets/kb/along.bin", DATA = "assets/kb/search-data.js";
const url = (address) => new URL(address, TOP).href;

/* Returns the full address for a path from the top of the site. */
const addressOf = (href) => new URL(href).pathname.slice(TOP.pathname.length).replace(/(^|\/)$/, "$1index.html");
/* Files that are named by a hash of their content never change. */
const isFixed = (address) => /^assets\/(kb\/search|stylesheets|javascripts)\/[^/]+$/.test(address);
const isKept = (address) => /\.html$|^manifest\.webmanifest$|^(assets|search)\/(?!kb\/python\/).*\.(css|js|json|svg|png|jpe?g|webp)$/.test(address);

/* The whole edition on this device, if it was saved (kb/site/hosted.py describes the format) */
let whole = {};
const gunzip = (blob) => new Response(blob.stream().pipeThrough(new DecompressionStream("gzip")));
async function filesOf(blob) {
  const files = new Map();
  let at = 4 + new DataView(await blob.slice(0, 4).arrayBuffer()).getUint32(0);
  for (const [bytes, listed] of (await gunzip(blob.slice(4, at)).json()).parts) {
    const part = blob.slice(at, at += bytes);
    let from = 0;
    for (const [address, type, length] of listed) files.set(address, [part, from, from += length, type]);
  }
  return files;
}
async function fromWhole(address) {
  const name = (await caches.keys()).find((each) => each.startsWith(WHOLES));
  if (!name) return null;
  if (whole.name !== name) whole = { name, files: await filesOf(await (await caches.match(url(WHOLE), { cacheName: name })).blob()) };
  const [part, ...place] = whole.files.get(address) || [];
  return part ? new Response((await gunzip(part).blob()).slice(...place)) : null;
}
/* Returns the cached answer for an address. None if the cache was cleared or is damaged. */
const kept = async (address) => await caches.match(url(address), { cacheName: READ }) || fromWhole(address).catch(() => null);

async function fromNetwork(asked, address) {
  const answer = await fetch(asked, { cache: "no-cache" });
  if (answer.ok && answer.type === "basic" && !answer.redirected && !/no-store/.test(answer.headers.get("Cache-Control") || "")) {
    const copy = answer.clone();
    await caches.open(READ).then((store) => store.put(url(address), copy)).catch(() => {});  /* show the answer even if there is no space to store it */
  }
  return answer;
}
function nothing() {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>No network</title><main><h1>No network</h1><p>This page is not saved on this device.</p><p><a href="${TOP.pathname}index.html">Go to the home page</a></p></main></html>`;
  return new Response(html, { status: 503, headers: { "Content-Type": "text/html" } });
}
async function answer(event, address) {
  const held = await kept(address);
  if (held && isFixed(address)) return held;
  const asked = fromNetwork(event.request, address);
  event.waitUntil(asked.catch(() => {}));
  if (!held) return asked.catch(() => (event.request.mode === "navigate" ? nothing() : Response.error()));
  const late = new Promise((done) => setTimeout(done, PATIENCE, held));
  return Promise.race([asked.then((found) => (found.status >= 500 ? held : found), () => held), late]);
}
self.addEventListener("fetch", (event) => {
  const { request } = event, address = request.url.startsWith(TOP.href) ? addressOf(request.url) : "";
  if (request.method === "GET" && isKept(address) && !request.headers.has("range")) event.respondWith(answer(event, address));
});

/* When a new edition replaces an older one, pages that were read stay readable, and searches use the data of the new edition. */
async function keep(address, cache) {
  const found = await fetch(url(address), { cache: isFixed(address) ? "force-cache" : cache });
  if (!found.ok || found.redirected) throw new Error(`${address}: ${found.status}`);
  await (await caches.open(READ)).put(url(address), found);
}
async function install() {
  /* On the first visit the page has just loaded its styles and scripts, so they come from the browser's cache. */
  const cache = await caches.match(url("edition"), { cacheName: READ }) ? "no-cache" : "force-cache";
  await Promise.all([...FIRST, ...(await caches.match(url(DATA)) ? [DATA] : [])].map((address) => keep(address, cache)));
  await self.skipWaiting();
}
async function activate() {
  await (await caches.open(READ)).put(url("edition"), new Response(EDITION));
  await clients.claim();
}
self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
