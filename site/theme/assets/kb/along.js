/* From a server only: registers the worker that keeps pages (service-worker.js), tells of a newer edition, and on the page "Take it
   along" fetches the whole edition into the browser. No other host is asked. */
"use strict";
(function () {
  const top = new URL(kbBase + "/", location), at = (path) => new URL(path, top).href;
  const make = kbMake, whole = "assets/kb/along.bin", before = `kb ${top.pathname} whole `;
  document.head.append(
    make("link", { rel: "manifest", href: at("manifest.webmanifest") }), make("link", { rel: "apple-touch-icon", href: at("assets/kb/icon-180.png") }),
    make("meta", { name: "theme-color", content: getComputedStyle(document.body).backgroundColor }),
  );

  let bar = null;
  function announce(text, ...buttons) {
    bar?.remove();
    const later = make("button.kb-check__plain", { click: () => bar.remove() }, "Later");
    document.body.append(bar = make("div.kb-newer", { role: "status" }, make("p", text), ...buttons, later));
  }
  function newer(worker) {
    announce("A newer edition is here: reload to read it.", make("button.kb-button", { click: () => worker.postMessage({ now: true }) }, "Reload"));
  }
  function watch(registration) {
    const look = (worker) => {
      const ready = () => { if (worker?.state === "installed" && navigator.serviceWorker.controller) newer(worker); };
      worker?.addEventListener("statechange", ready);
      ready();
    };
    look(registration.waiting);
    look(registration.installing);
    registration.addEventListener("updatefound", () => look(registration.installing));
    /* A page that stays open for days asks when it is looked at again. */
    let asked = Date.now();
    document.addEventListener("visibilitychange", () => {
      if (document.hidden || Date.now() - asked < 3600000) return;
      asked = Date.now();
      registration.update().catch(() => {});
    });
  }

  /* The editions on this device */
  async function wholes() {
    const found = [];
    for (const name of await caches.keys()) if (name.startsWith(before) && await caches.match(at(whole), { cacheName: name })) found.push({ name, edition: name.slice(before.length) });
    return found;
  }
  const running = () => new Promise((done) => {
    const worker = navigator.serviceWorker.controller, channel = new MessageChannel();
    if (!worker) { done(""); return; }
    channel.port1.onmessage = ({ data }) => done(data);
    worker.postMessage({ edition: true }, [channel.port2]);
    setTimeout(done, 2000, "");
  });
  async function outdated() {
    const kept = await wholes(), edition = await running();
    return Boolean(edition && kept.length && !kept.some((each) => each.edition === edition));
  }

  /* Taking it along */
  const mb = (bytes) => (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0) + " MB";
  const broke = (part) => new Error(`The network broke off${part ? ` after ${Math.floor(100 * part)} %` : ""}. Nothing was kept of it; try again when the network is back.`);
  /* What an edition tells of itself: four bytes say how long that is (kb/site/hosted.py). */
  async function headOf(blob) {
    const length = new DataView(await blob.slice(0, 4).arrayBuffer()).getUint32(0);
    const head = await new Response(blob.slice(4, 4 + length).stream().pipeThrough(new DecompressionStream("gzip"))).json();
    return { ...head, size: head.parts.reduce((sum, [bytes]) => sum + bytes, 4 + length) };
  }
  async function take(told) {
    const answer = await fetch(at(whole), { cache: "no-store" }).catch(() => { throw broke(0); });
    if (!answer.ok) throw new Error(`The server answered ${answer.status} instead of the edition. Nothing was kept.`);
    const size = Number(answer.headers.get("Content-Length")), reader = answer.body.getReader(), parts = [];
    for (let come = 0; ;) {
      const { done, value } = await reader.read().catch(() => { throw broke(size && come / size); });
      if (done) break;
      parts.push(value);
      come += value.length;
      if (size) told(Math.min(1, come / size));
    }
    const edition = new Blob(parts), head = await headOf(edition).catch(() => { throw new Error("What the server sent is no edition of this site. Nothing was kept."); });
    if (edition.size < head.size) throw broke(edition.size / head.size);
    const name = before + head.edition;
    try { await (await caches.open(name)).put(at(whole), new Response(edition)); } catch (error) {
      await caches.delete(name);
      throw error.name === "QuotaExceededError" ? new Error(`There is too little space on this device for the whole edition, which needs ${mb(edition.size)}. Nothing was kept.`) : error;
    }
    for (const older of await wholes()) if (older.name !== name) await caches.delete(older.name);
    return { size: edition.size, files: head.parts.flatMap(([, listed]) => listed).filter(([address]) => address.endsWith(".html")).length, edition: head.edition };
  }

  /* The page "Take it along" */
  const part = (name) => document.querySelector(`[data-kb-along] [data-kb-${name}]`);
  function say(text, bad = false) {
    part("state").replaceChildren(...(text ? [make("p", text)] : []));
    part("state").classList.toggle("kb-check__state--bad", bad);
  }
  async function control(registration) {
    const go = part("take"), drop = part("drop"), install = part("install");
    async function show() {
      const kept = await wholes(), late = await outdated();
      drop.hidden = !kept.length;
      go.hidden = kept.length > 0 && !late;
      go.textContent = late ? "Take the newer edition along" : "Take it along";
      return { kept, late };
    }
    const { kept, late } = await show();
    go.disabled = false;
    say("");
    if (late) say("The edition on this device is older than this site. It opens without a network until you take the newer one along.");
    else if (kept.length) say("The whole site is on this device, and opens without a network.");
    go.addEventListener("click", async () => {
      go.disabled = true;
      const line = make("progress", { "aria-label": "Fetched so far" });
      say("Fetching the edition …");
      part("state").append(line);
      try {
        const done = await take((part) => { line.value = part; });
        if (navigator.storage.persist) navigator.storage.persist().catch(() => {});
        const edition = await running();
        await show();
        say(`Done: ${done.files.toLocaleString("en")} pages and the search are on this device (${mb(done.size)}). They open without a network.` + (edition && edition !== done.edition ? " It is a newer edition than this page: close the site or reload it." : ""));
        go.hidden = true;
        registration.update().catch(() => {});
      } catch (error) { say(error.message, true); }
      go.disabled = false;
    });
    drop.addEventListener("click", async () => {
      for (const { name } of await wholes()) await caches.delete(name);
      await show();
      say("It was taken off this device. Pages that you read stay.");
    });
    addEventListener("beforeinstallprompt", (event) => {
      event.preventDefault();
      install.hidden = false;
      install.onclick = () => { event.prompt(); install.hidden = true; };
    });
  }

  const why = part("why");
  const able = (is) => {
    if (!why) return;
    part("no").hidden = is;
    part("yes").hidden = !is;
    part("take").disabled = true;
    say("The browser makes itself ready …");
  };
  const nothing = "This browser keeps nothing for this site: perhaps a private window, or cookies are forbidden for it.";
  function hindrance() {
    try {
      if ("serviceWorker" in navigator && navigator.serviceWorker && window.caches && "DecompressionStream" in window) return "";
    } catch (error) { return nothing; }  /* where storage is refused, to ask for it is too */
    return isSecureContext ? "This browser keeps no sites for reading without a network." : "Browsers keep a site only when it comes by https.";
  }
  const hindered = hindrance();
  if (hindered) {
    if (why) why.textContent = hindered;
    return;
  }
  able(true);
  const first = !navigator.serviceWorker.controller;
  let led = !first;  /* all open pages go over to a newer edition together */
  navigator.serviceWorker.addEventListener("controllerchange", () => { if (led) location.reload(); led = true; });
  navigator.serviceWorker.register(at("service-worker.js"), { updateViaCache: "none" }).then(async (registration) => {
    watch(registration);
    const ready = await navigator.serviceWorker.ready;
    if (first) ready.active.postMessage({ read: location.href });
    if (why) await control(registration);
    else if (!bar && await outdated() && !sessionStorage.getItem(before)) {
      sessionStorage.setItem(before, "told");
      announce("What you took along is an older edition than this.", make("a.kb-button", { href: at("along.html") }, "Take the newer one along"));
    }
  }).catch(() => { able(false); if (why) why.textContent = nothing; });
})();
