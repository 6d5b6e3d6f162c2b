/* Runs before the theme's script, whose search sends only the words to its worker: this adds the scope of the search. From a folder (file:), where
   browsers start no workers, the worker's script runs in the page. */
"use strict";
/* The theme does this only at the end of the page. Until then a long menu, unscrolled, keeps the footer of a short page down. */
document.documentElement.classList.replace("no-js", "js");
(function () {
  const inPage = location.protocol === "file:", { prototype } = inPage ? MessagePort : Worker, post = prototype.postMessage;
  if (inPage) {
    window.importScripts = (src) => new Promise((done, failed) => { document.head.append(Object.assign(document.createElement("script"), { src, onload: done, onerror: failed })); });
    const own = window.Worker;
    window.Worker = function (url, ...rest) {
      if (!/\/workers\/search\./.test(url)) return new own(url, ...rest);  /* the deck checker's worker */
      const { port1, port2 } = new MessageChannel();
      window.kbPort = port2;
      window.importScripts(url).then(() => port2.start());
      port1.start();
      return port1;
    };
  }
  let worker = null, last = null;
  prototype.postMessage = function (message, ...rest) {
    if (message && message.type === 2) {
      if (!worker) this.addEventListener("message", ({ data }) => dispatchEvent(new CustomEvent("kb-found", { detail: data.type === 3 && data.data.more })));
      worker = this;
      last = message = { ...message, within: window.kbWithin || "", rules: window.kbRules || {} };
    }
    return post.call(this, message, ...rest);
  };
  /* Repeats the last question with the current scope and editions, for `more` results or the first ones. */
  window.kbAsk = (within, more) => { window.kbWithin = within; if (worker) post.call(worker, { ...last, within, more, rules: window.kbRules || {} }); };
})();
