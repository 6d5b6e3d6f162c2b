/* From a server only: registers service-worker.js, tells of a newer edition, and fetches the whole one on the page "Take it along". */
"use strict";
(async function () {
  const top = new URL(kbBase + "/", location), at = (path) => new URL(path, top).href;
  const make = kbMake, whole = "assets/kb/along.bin", before = `kb ${top.pathname} whole `;
  document.head.append(
    make("link", { rel: "manifest", href: at("manifest.webmanifest") }), make("link", { rel: "apple-touch-icon", href: at("assets/kb/icon-180.png") }),
    make("meta", { name: "theme-color", content: getComputedStyle(document.body).backgroundColor }),
  );

  let bar = null;
  function announce(text, button) {
    bar?.remove();
    document.body.append(bar = make("div.kb-newer", { role: "status" }, make("p", text), button, make("button.kb-check__plain", { click: () => bar.remove() }, "Later")));
  }
  function watch(worker) {
    const ready = () => {
      if (worker?.state !== "installed" || !navigator.serviceWorker.controller) return;
      announce("A newer edition is here: reload to read it.", make("button.kb-button", { click: () => worker.postMessage({ now: true }) }, "Reload"));
    };
    worker?.addEventListener("statechange", ready);
    ready();
  }

  /* The names of the editions on this device, and whether none of them is that of the worker */
  const wholes = async () => (await caches.keys()).filter((name) => name.startsWith(before));
  async function outdated() {
    const kept = await wholes(), edition = await (await caches.match(at("edition")))?.text();
    return Boolean(edition && kept.length && !kept.includes(before + edition));
  }

  /* What an edition tells of itself: four bytes say how long that is (kb/site/hosted.py). */
  async function headOf(blob) {
    const length = new DataView(await blob.slice(0, 4).arrayBuffer()).getUint32(0);
    const head = await new Response(blob.slice(4, 4 + length).stream().pipeThrough(new DecompressionStream("gzip"))).json();
    return { name: before + head.edition, size: head.parts.reduce((sum, [bytes]) => sum + bytes, 4 + length) };
  }
  async function take() {
    const answer = await fetch(at(whole), { cache: "no-store" });
    if (!answer.ok) throw new Error(`The server answered ${answer.status}.`);
    const edition = await answer.blob(), { name, size } = await headOf(edition).catch(() => { throw new Error("What the server sent is no edition of this site."); });
    if (edition.size < size) throw new Error("It did not come whole.");
    try { await (await caches.open(name)).put(at(whole), new Response(edition)); } catch (error) {
      await caches.delete(name);
      throw error.name === "QuotaExceededError" ? new Error("There is too little space on this device.") : error;
    }
    for (const older of await wholes()) if (older !== name) await caches.delete(older);
  }

  /* The page "Take it along" */
  const part = (name) => document.querySelector(`[data-kb-along] [data-kb-${name}]`), go = part("take"), drop = part("drop");
  function say(text, bad = false) {
    part("state").replaceChildren(make("p", text));
    part("state").classList.toggle("kb-check__state--bad", bad);
  }
  async function show() {
    const kept = (await wholes()).length > 0, late = await outdated();
    drop.hidden = !kept;
    go.hidden = kept && !late;
    go.textContent = late ? "Take the newer edition along" : "Take it along";
    part("state").replaceChildren();
    if (late) say("The edition on this device is older than this site. It opens without a network until you take the newer one along.");
    else if (kept) say("The whole site is on this device, and opens without a network.");
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
        await show();
        say("Done: the whole site is on this device, and opens without a network.");
        registration.update().catch(() => {});
      } catch (error) { say(`It could not be taken along, and nothing was kept. ${error.message}`, true); }
      go.disabled = false;
    });
    drop.addEventListener("click", async () => {
      for (const name of await wholes()) await caches.delete(name);
      await show();
      say("It was taken off this device. Pages that you read stay.");
    });
  }

  try {
    const { serviceWorker } = navigator, first = !serviceWorker.controller;
    let led = !first;  /* all open pages go over to a newer edition together */
    serviceWorker.addEventListener("controllerchange", () => { if (led) location.reload(); led = true; });
    const registration = await serviceWorker.register(at("service-worker.js"), { updateViaCache: "none" });
    watch(registration.waiting);
    watch(registration.installing);
    registration.addEventListener("updatefound", () => watch(registration.installing));
    const ready = await serviceWorker.ready;
    if (first) ready.active.postMessage({ read: location.href });
    if (go) await control(registration);
    else if (!bar && await outdated() && !sessionStorage.getItem(before)) {
      sessionStorage.setItem(before, "told");
      announce("What you took along is an older edition than this.", make("a.kb-button", { href: at("along.html") }, "Take the newer one along"));
    }
  } catch { /* the browser keeps nothing for this site, of which the page "Take it along" tells */ }
})();
