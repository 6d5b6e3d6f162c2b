/* From a server only: registers service-worker.js, reports newer editions, and downloads the whole edition on the page "Use offline". */
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

  /* The caches of the editions on this device; and true if none of them belongs to the current worker */
  const wholes = async () => (await caches.keys()).filter((name) => name.startsWith(before));
  async function outdated() {
    const kept = await wholes(), edition = await (await caches.match(at("edition")))?.text();
    return Boolean(edition && kept.length && !kept.includes(before + edition));
  }
  async function take() {
    const answer = await fetch(at(whole), { cache: "no-store" });
    if (!answer.ok) throw new Error(`The server responded with status ${answer.status}.`);
    /* The first four bytes hold the length of the head, which contains the edition's name (kb/site/hosted.py). */
    const blob = await answer.blob(), length = new DataView(await blob.slice(0, 4).arrayBuffer()).getUint32(0);
    const head = new Response(blob.slice(4, 4 + length).stream().pipeThrough(new DecompressionStream("gzip")));
    const name = before + (await head.json().catch(() => { throw new Error("The server's reply is not a copy of this site."); })).edition;
    await (await caches.open(name)).put(at(whole), new Response(blob)).catch(async (error) => { await caches.delete(name); throw error; });
    for (const older of await wholes()) if (older !== name) await caches.delete(older);
    /* Pages read before may be older than the edition. Styles and scripts are current: this page has just requested them. */
    const store = await caches.open(read);
    for (const { url } of await store.keys()) if (/html$|search-data\.js$/.test(url)) await store.delete(url);
  }

  /* The page "Use offline" */
  const part = (name) => document.querySelector(`[data-kb-along] [data-kb-${name}]`), go = part("take"), drop = part("drop");
  function say(text, bad = false) {
    part("state").replaceChildren(...(text ? [make("p", text)] : []));
    part("state").classList.toggle("kb-check__state--bad", bad);
  }
  async function show(done = "") {
    const kept = (await wholes()).length > 0, late = await outdated();
    drop.hidden = !kept;
    go.hidden = kept && !late;
    go.textContent = late ? "Download the newer version" : "Save for offline use";
    say(late ? "The version saved on this device is older than this site. You can use it offline, or download the newer one."
      : kept ? `${done}The whole site is saved on this device and works offline.` : done);
  }
  async function control(registration) {
    await show();
    part("no").hidden = true;
    part("yes").hidden = false;
    go.addEventListener("click", async () => {
      go.disabled = true;
      say("Downloading …");
      part("state").append(make("progress", { "aria-label": "Downloading" }));
      try {
        await take();
        navigator.storage.persist?.().catch(() => {});
        await show("Done. ");
        registration.update().catch(() => {});
      } catch (error) { say(`The download failed, and nothing was saved. ${error.message}`, true); }
      go.disabled = false;
    });
    drop.addEventListener("click", async () => {
      for (const name of await wholes()) await caches.delete(name);
      await show("Removed from this device.");
    });
  }

  try {
    const { serviceWorker } = navigator;
    let led = Boolean(serviceWorker.controller);
    serviceWorker.addEventListener("controllerchange", () => {
      if (led) announce("There is a newer version of this site. Reload to see it.", make("button.kb-button", { click: () => location.reload() }, "Reload"));
      else (async () => (await caches.open(read)).add(location.href.replace(/[?#].*/, "").replace(/\/$/, "/index.html")))().catch(() => {});  /* this page was loaded before the worker existed, so it is not cached yet */
      led = true;
    });
    const registration = await serviceWorker.register(at("service-worker.js"), { updateViaCache: "none" });
    await serviceWorker.ready;
    if (go) await control(registration);
    else if (await outdated() && !sessionStorage.getItem(before)) {
      sessionStorage.setItem(before, "told");
      announce("The version you saved is older than this one.", make("a.kb-button", { href: at("along.html") }, "Download the newer version"));
    }
  } catch { /* the browser stores nothing for this site; the page "Use offline" says so */ }
})();
