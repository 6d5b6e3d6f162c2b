/* Runs before the theme's script, whose search sends its worker no more than the words: here they get place and scope. From a folder (file:), where
   browsers start no workers, the worker's script runs in the page. */
"use strict";
(function () {
  if (location.protocol === "file:") {
    window.importScripts = (src) => new Promise((done, failed) => { document.head.append(Object.assign(document.createElement("script"), { src, onload: done, onerror: failed })); });
    const own = window.Worker;
    window.Worker = class extends EventTarget {
      constructor(url, ...rest) {
        super();
        if (!/\/workers\/search\./.test(url)) return new own(url, ...rest);  /* the deck checker's */
        this.inner = new EventTarget();
        this.inner.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
        window.kbPort = this.inner;
        this.ready = window.importScripts(url);
      }
      postMessage(data) { this.ready.then(() => this.inner.dispatchEvent(new MessageEvent("message", { data }))); }
    };
  }
  const post = Worker.prototype.postMessage;
  let worker = null, last = null;
  Worker.prototype.postMessage = function (message, ...rest) {
    if (message && message.type === 2) {
      const place = document.querySelector("[data-kb-place]");
      if (!worker) this.addEventListener("message", ({ data }) => dispatchEvent(new CustomEvent("kb-found", { detail: data.type === 3 && data.data.more })));
      worker = this;
      last = message = { ...message, here: place ? place.dataset.kbPlace : "", within: window.kbWithin || "", rules: window.kbRules || {} };
    }
    return post.call(this, message, ...rest);
  };
  /* Asks the last question again, within a game or set and by the editions that are chosen now, for `more` results or the first ones. */
  window.kbAsk = (within, more) => { window.kbWithin = within; if (worker) post.call(worker, { ...last, within, more, rules: window.kbRules || {} }); };
})();
