/* From a server only: registers the worker that keeps pages (service-worker.js), tells of a newer edition, and on the page "Take it
   along" fetches the whole edition into the browser. No other host is asked. */
"use strict";
(function () {
  const top = new URL(window.kbBase + "/", location), at = (path) => new URL(path, top).href;
  const add = (name, values) => document.head.append(Object.assign(document.createElement(name), values));
  const head = "assets/kb/along/head", before = `kb ${top.pathname} whole `;
  add("link", { rel: "manifest", href: at("manifest.webmanifest") });
  add("link", { rel: "apple-touch-icon", href: at("assets/kb/icon-180.png") });
  add("meta", { name: "theme-color", content: getComputedStyle(document.body).backgroundColor });

  const make = (name, text, values) => Object.assign(document.createElement(name), { textContent: text, ...values });
  let bar = null;
  function announce(text, ...buttons) {
    if (bar) bar.remove();
    bar = make("div", "", { className: "kb-newer" });
    bar.setAttribute("role", "status");
    const later = make("button", "Later", { type: "button", className: "kb-check__plain" });
    later.addEventListener("click", () => bar.remove());
    bar.append(make("p", text), ...buttons, later);
    document.body.append(bar);
  }
  function newer(worker) {
    const now = make("button", "Reload", { type: "button", className: "kb-button" });
    now.addEventListener("click", () => {
      navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
      worker.postMessage({ now: true });
    });
    announce("A newer edition is here: reload to read it.", now);
  }
  function watch(registration) {
    const look = (worker) => {
      if (!worker) return;
      const ready = () => { if (worker.state === "installed" && navigator.serviceWorker.controller) newer(worker); };
      worker.addEventListener("statechange", ready);
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

  /* ---------- the editions on this device ---------- */
  async function wholes() {
    const found = [];
    for (const name of await caches.keys()) {
      const kept = name.startsWith(before) && await caches.match(at(head), { cacheName: name });
      if (kept) found.push({ name, edition: name.slice(before.length), head: await kept.json() });
    }
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

  /* ---------- taking it along ---------- */
  const mb = (bytes) => (bytes / 1e6 < 10 ? (bytes / 1e6).toFixed(1) : String(Math.round(bytes / 1e6))) + " MB";
  const broke = (come, size) => new Error(`The network broke off${size ? ` after ${Math.floor(100 * come / size)} %` : ""}. Nothing was kept of it; try again when the network is back.`);
  /* Bytes of an answer, as many as are asked for. */
  function reading(answer, told) {
    const reader = answer.body.getReader();
    let rest = new Uint8Array(0), come = 0, size = 0;
    return {
      expect(bytes) { size = bytes; },
      async take(length) {
        const parts = [rest];
        let there = rest.length;
        while (there < length) {
          const { done, value } = await reader.read().catch(() => ({ done: true }));
          if (done) throw broke(come, size);
          parts.push(value);
          there += value.length;
          come += value.length;
          if (size) told(Math.min(1, come / size));
        }
        const all = new Uint8Array(there);
        let to = 0;
        for (const part of parts) { all.set(part, to); to += part.length; }
        rest = all.slice(length);
        return all.slice(0, length);
      },
      stop() { reader.cancel().catch(() => {}); },
    };
  }
  const unpacked = (bytes) => new Response(new Response(bytes).body.pipeThrough(new DecompressionStream("gzip")));
  async function room(needed) {
    const { quota, usage } = await navigator.storage.estimate().catch(() => ({}));
    if (quota !== undefined && quota - usage < needed * 1.1) throw new Error(`There is too little space: ${mb(needed)} are needed, and this browser gives the site ${mb(Math.max(0, quota - usage))} more.`);
  }
  async function take(told) {
    const answer = await fetch(at("assets/kb/along.bin"), { cache: "no-store" }).catch(() => { throw broke(0, 0); });
    if (!answer.ok) throw new Error(`The server answered ${answer.status} instead of the edition. Nothing was kept.`);
    const from = reading(answer, told);
    let name = "";
    try {
      const length = new DataView((await from.take(4)).buffer).getUint32(0);
      const told = await unpacked(await from.take(Math.min(length, 1e6))).json().catch(() => { throw new Error("What the server sent is no edition of this site. Nothing was kept."); });
      const size = told.parts.reduce((sum, [bytes]) => sum + bytes, 4 + length);
      from.expect(size);
      await room(size);
      name = before + told.edition;
      await caches.delete(name);
      const store = await caches.open(name);
      for (const [number, [bytes]] of told.parts.entries()) await store.put(at(`assets/kb/along/${number}`), new Response(await from.take(bytes)));
      /* Last of all: without it the worker takes nothing from this store. */
      await store.put(at(head), new Response(JSON.stringify(told)));
      for (const old of await caches.keys()) if (old.startsWith(before) && old !== name && !await caches.match(at(head), { cacheName: old })) await caches.delete(old);
      return { size, files: told.parts.flatMap(([, listed]) => listed).filter(([address]) => address.endsWith(".html")).length, edition: told.edition };
    } catch (error) {
      if (name) await caches.delete(name);
      if (error.name === "QuotaExceededError") throw new Error("There is too little space on this device for the whole edition. Nothing was kept.");
      throw error;
    } finally { from.stop(); }
  }

  /* ---------- the page "Take it along" ---------- */
  async function control(box, registration) {
    const go = box.querySelector("[data-kb-take]"), drop = box.querySelector("[data-kb-drop]"), state = box.querySelector("[data-kb-state]"), install = box.querySelector("[data-kb-install]");
    const say = (text, bad) => { state.replaceChildren(...(text ? [make("p", text)] : [])); state.classList.toggle("kb-check__state--bad", Boolean(bad)); };
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
      const line = make("progress", ""), words = make("p", "Fetching the edition …");
      line.setAttribute("aria-label", "Fetched so far");
      state.classList.remove("kb-check__state--bad");
      state.replaceChildren(words, line);
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

  const box = document.querySelector("[data-kb-along]"), why = box && box.querySelector("[data-kb-why]");
  const able = (is) => {
    if (!box) return;
    box.querySelector("[data-kb-no]").hidden = is;
    box.querySelector("[data-kb-yes]").hidden = !is;
    box.querySelector("[data-kb-take]").disabled = true;
    box.querySelector("[data-kb-state]").replaceChildren(make("p", "The browser makes itself ready …"));
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
  navigator.serviceWorker.register(at("service-worker.js"), { updateViaCache: "none" }).then(async (registration) => {
    watch(registration);
    const first = !navigator.serviceWorker.controller, ready = await navigator.serviceWorker.ready;
    if (first) ready.active.postMessage({ read: location.href });
    if (box) await control(box, registration);
    else if (!bar && await outdated() && !sessionStorage.getItem(before)) {
      sessionStorage.setItem(before, "told");
      announce("What you took along is an older edition than this.", make("a", "Take the newer one along", { className: "kb-button", href: at("along.html") }));
    }
  }).catch(() => { able(false); if (why) why.textContent = nothing; });
})();
