/* What a reader does on a page: tells campaigns finished, so that their spoilers are shown; turns pages by key; asks what a term means before
   following its link; takes a citation along. */
"use strict";
(function () {
  /* ---------- spoilers ---------- */
  let titled = "";
  function reveal() {
    for (const masked of document.querySelectorAll(".kb-masked")) {
      if (!masked.dataset.shown) masked.dataset.shown = masked.textContent;
      const open = window.kbFinished(masked.dataset.campaign) || masked.dataset.opened;
      masked.textContent = open ? masked.dataset.told : masked.dataset.shown;
    }
    for (const fold of document.querySelectorAll("details.spoiler[data-campaign]")) if (window.kbFinished(fold.dataset.campaign)) fold.open = true;
    const head = document.querySelector("h1 .kb-masked");
    if (head) document.title = (titled = titled || document.title).replace(head.dataset.shown, head.textContent);
  }
  function finish(campaign, done) {
    const kept = new Set([].concat(window.kbKept.get("finished") || []));
    if (done) kept.add(campaign); else kept.delete(campaign);
    window.kbKept.set("finished", [...kept].sort());
    known = told();
    document.querySelectorAll("input[data-kb-finished]").forEach((box) => { if (box.value === campaign) box.checked = done; });
    reveal();
    dispatchEvent(new Event("kb-finished"));
  }
  const said = new Set();
  for (const fold of document.querySelectorAll("details.spoiler[data-campaign]")) {
    const campaign = fold.dataset.campaign, around = fold.closest(".kb-row-whole") || document;
    /* Who opens the text of an entry reads its title too. */
    fold.addEventListener("toggle", () => {
      if (!fold.open) return;
      const title = around.querySelector("h1 .kb-masked, h2 .kb-masked");
      if (title && title.dataset.campaign === campaign) { title.dataset.opened = "yes"; reveal(); }
    });
    if (said.has(campaign) || fold.closest(".kb-facts")) continue;
    said.add(campaign);
    const box = document.createElement("input"), label = document.createElement("label");
    Object.assign(box, { type: "checkbox", value: campaign });
    box.dataset.kbFinished = "";
    label.className = "kb-finished";
    label.append(box, " I have finished " + campaign + ": tell its titles and texts");
    fold.append(label);
  }
  document.querySelectorAll("input[data-kb-finished]").forEach((box) => {
    box.checked = window.kbFinished(box.value);
    box.addEventListener("change", () => finish(box.value, box.checked));
  });
  /* What another tab said, or a later page before the reader came back to this one. */
  const told = () => String(window.kbKept.get("finished") || "");
  let known = told();
  function again() {
    if (told() === known) return;
    known = told();
    document.querySelectorAll("input[data-kb-finished]").forEach((box) => { box.checked = window.kbFinished(box.value); });
    reveal();
    dispatchEvent(new Event("kb-finished"));
  }
  addEventListener("storage", (event) => { if (!event.key || event.key.endsWith(".finished")) again(); });
  addEventListener("pageshow", (event) => { if (event.persisted) again(); });
  document.querySelectorAll(".kb-finished-list[hidden]").forEach((list) => { list.hidden = false; });
  if (document.querySelector(".kb-masked, details.spoiler")) reveal();

  /* ---------- what a link leads to ---------- */
  const tip = document.createElement("div");
  let asked = null, waiting = 0;
  tip.className = "kb-tip";
  tip.id = "kb-tip";
  tip.hidden = true;
  tip.setAttribute("role", "tooltip");
  function tell(link, tapped) {
    asked = link;
    tip.replaceChildren(link.dataset.hint);
    if (tapped) {
      const open = document.createElement("a");
      Object.assign(open, { href: link.href, textContent: "Open", className: "kb-tip__open" });
      tip.append(" ", open);
    }
    if (!tip.isConnected) document.body.append(tip);
    tip.hidden = false;
    link.setAttribute("aria-describedby", tip.id);
    const at = link.getBoundingClientRect(), width = tip.offsetWidth, below = at.bottom + tip.offsetHeight + 12 < innerHeight;
    tip.style.left = scrollX + Math.max(8, Math.min(at.left, document.documentElement.clientWidth - width - 8)) + "px";
    tip.style.top = scrollY + (below ? at.bottom + 6 : at.top - tip.offsetHeight - 6) + "px";
  }
  function hush() {
    clearTimeout(waiting);
    if (asked) asked.removeAttribute("aria-describedby");
    asked = null;
    tip.hidden = true;
  }
  const hinted = (event) => event.target.closest && event.target.closest("a[data-hint]");
  const coarse = matchMedia("(hover: none)");
  document.addEventListener("mouseover", (event) => {
    if (coarse.matches || tip.contains(event.target)) return;
    const link = hinted(event);
    if (link === asked) return;
    hush();
    if (link) waiting = setTimeout(() => tell(link, false), 250);
  });
  document.addEventListener("focusin", (event) => { const link = hinted(event); if (link && link.matches(":focus-visible")) tell(link, false); else if (!tip.contains(event.target)) hush(); });
  /* Without a mouse the first tap tells, the second (or "Open") follows. */
  document.addEventListener("click", (event) => {
    const link = hinted(event);
    if (coarse.matches && link && link !== asked) { event.preventDefault(); tell(link, true); } else if (!link && !tip.contains(event.target)) hush();
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") hush(); });

  /* ---------- addresses of parts, citations ---------- */
  for (const head of document.querySelectorAll("article :is(h2, h3)[id]")) {
    const link = document.createElement("a");
    Object.assign(link, { href: "#" + head.id, className: "kb-hash", textContent: "#" });
    link.setAttribute("aria-label", "Address of this part");
    head.append(link);
  }
  function copied(text) {
    if (navigator.clipboard && isSecureContext) return navigator.clipboard.writeText(text);
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done ? Promise.resolve() : Promise.reject(new Error("no clipboard"));
  }
  for (const source of document.querySelectorAll("[data-cite]")) {
    const button = document.createElement("button"), words = source.innerText.replace(/^Source\s*/, "").replace(/ · original$/, "");
    Object.assign(button, { type: "button", className: "kb-cite", textContent: "Copy citation" });
    button.addEventListener("click", () => copied(document.querySelector("h1").innerText.trim() + ". " + words + " (" + source.dataset.cite + ")" + (location.protocol.startsWith("http") ? ", " + location.href.replace(/#.*/, "") : ""))
      .then(() => { button.textContent = "Copied"; }, () => { button.textContent = "This browser does not let pages copy"; }));
    source.append(" ", button);
  }

  /* ---------- keys ---------- */
  const KEYS = [["/", "search"], ["n", "next page"], ["p", "page before"], ["u", "one level up"], ["?", "this list"], ["Esc", "close"]];
  let list = null;
  function keys() {
    if (!list) {
      list = document.createElement("dialog");
      list.className = "kb-dialog kb-keys";
      list.setAttribute("aria-label", "Keys");
      const rows = document.createElement("dl"), close = document.createElement("button");
      for (const [key, words] of KEYS) {
        const name = document.createElement("dt"), what = document.createElement("dd"), cap = document.createElement("kbd");
        cap.textContent = key;
        name.append(cap);
        what.textContent = words;
        rows.append(name, what);
      }
      Object.assign(close, { type: "button", textContent: "Close", className: "kb-check__plain" });
      close.addEventListener("click", () => list.close());
      list.append(rows, close);
      list.addEventListener("click", (event) => { if (event.target === list) list.close(); });
      document.body.append(list);
    }
    if (!list.open) list.showModal();
  }
  const go = (selector) => { const link = document.querySelector(selector); if (link) link.click(); };
  const turns = { n: "a[rel=next]", p: "a[rel=prev]", u: ".kb-crumbs li:last-child a" };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName) || event.target.isContentEditable) return;
    if (document.querySelector("dialog[open]")) return;
    if (event.key === "?") keys(); else if (turns[event.key]) go(turns[event.key]);
  });
})();
