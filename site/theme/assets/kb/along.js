/* From a server only: registers service-worker.js, tells of a newer edition, and fetches the whole one on the page "Take it along". */
"use strict";
(async function () {
  const top = new URL(kbBase + "/", location), at = (path) => new URL(path, top).href;
  const make = kbMake, whole = "assets/kb/along.bin", read = `kb ${top.pathname} read`, before = `kb ${top.pathname} whole `;
  document.head.append(
    make("link", { rel: "manifest", href: at("manifest.webmanifest") }), make("link", { rel: "apple-touch-icon", href: at("assets/kb/icon-180.png") }),
    make("meta", { name: "theme-color", content: getComputedStyle(document.body).backgroundColor }),
  );
  function announce(text, button) {
    const bar = make("div.kb-newer", { role: "status" }, make("p", text), button, make("button.kb-check__plain", { click: () => bar.remove() }, "Later"));
    document.querySelector(".kb-newer")?.remove();
    document.body.append(bar);
  }

  /* The stores of the editions on this device, and whether none of them is that of the worker */
  const wholes = async () => (await caches.keys()).filter((name) => name.startsWith(before));
  async function outdated() {
    const kept = await wholes(), edition = await (await caches.match(at("edition")))?.text();
    return Boolean(edition && kept.length && !kept.includes(before + edition));
  }
  async function take() {
    const answer = await fetch(at(whole), { cache: "no-store" });
    if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
    /* Four bytes say how long the head is, which tells the edition's name (kb/site/hosted.py). */
    const blob = await answer.blob(), length = new DataView(await blob.slice(0, 4).arrayBuffer()).getUint32(0);
    const head = new Response(blob.slice(4, 4 + length).stream().pipeThrough(new DecompressionStream("gzip")));
    const name = before + (await head.json().catch(() => { throw new Error("What the server sent is no edition of this site."); })).edition;
    await (await caches.open(name)).put(at(whole), new Response(blob)).catch(async (error) => { await caches.delete(name); throw error; });
    for (const older of await wholes()) if (older !== name) await caches.delete(older);
    /* What was read before may be older than the edition: styles and scripts are not, which this page has just asked for. */
    const store = await caches.open(read);
    for (const { url } of await store.keys()) if (/html$|search-data\.js$/.test(url)) await store.delete(url);
  }

  /* The page "Take it along" */
  const part = (name) => document.querySelector(`[data-kb-along] [data-kb-${name}]`), go = part("take"), drop = part("drop");
  function say(text, bad = false) {
    part("state").replaceChildren(...(text ? [make("p", text)] : []));
    part("state").classList.toggle("kb-check__state--bad", bad);
  }
  async function show(done = "") {
    const kept = (await wholes()).length > 0, late = await outdated();
    drop.hidden = !kept;
    go.hidden = kept && !late;
    go.textContent = late ? "Take the newer edition along" : "Take it along";
    say(late ? "The edition on this device is older than this site. It opens without a network until you take the newer one along."
      : kept ? `${done}The whole site is on this device, and opens without a network.` : done);
  }
  async function control(registration) {
    await show();
    part("no").hidden = true;
    part("yes").hidden = false;
    go.addEventListener("click", async () => {
      go.disabled = true;
      say("Fetching the edition …");
      part("state").append(make("progress", { "aria-label": "Fetching" }));
      try {
        await take();
        navigator.storage.persist?.().catch(() => {});
        await show("Done. ");
        registration.update().catch(() => {});
      } catch (error) { say(`It could not be taken along, and nothing was kept. ${error.message}`, true); }
      go.disabled = false;
    });
    drop.addEventListener("click", async () => {
      for (const name of await wholes()) await caches.delete(name);
      await show("It was taken off this device.");
    });
  }

  try {
    const { serviceWorker } = navigator;
    let led = Boolean(serviceWorker.controller);
    serviceWorker.addEventListener("controllerchange", () => {
      if (led) announce("A newer edition is here: reload to read it.", make("button.kb-button", { click: () => location.reload() }, "Reload"));
      else (async () => (await caches.open(read)).add(location.href.replace(/[?#].*/, "").replace(/\/$/, "/index.html")))().catch(() => {});  /* it was open before there was a worker */
      led = true;
    });
    const registration = await serviceWorker.register(at("service-worker.js"), { updateViaCache: "none" });
    await serviceWorker.ready;
    if (go) await control(registration);
    else if (await outdated() && !sessionStorage.getItem(before)) {
      sessionStorage.setItem(before, "told");
      announce("What you took along is an older edition than this.", make("a.kb-button", { href: at("along.html") }, "Take the newer one along"));
    }
  } catch { /* the browser keeps nothing for this site, of which the page "Take it along" tells */ }
})();
