/* Where the site begins, and where its settings are kept: what Material's own script in each page says (its bundle reads these
   names), from a file, so that no page needs a script of its own. */
"use strict";
(function (script) {
  const here = new URL(script.dataset.scope, location);
  window.__md_scope = here;
  window.__md_hash = (text) => [...text].reduce((sum, sign) => (sum << 5) - sum + sign.charCodeAt(0), 0);
  window.__md_get = (key, store = localStorage, scope = here) => {
    try { return JSON.parse(store.getItem(scope.pathname + "." + key)); } catch (error) { return null; }
  };
  window.__md_set = (key, value, store = localStorage, scope = here) => {
    try { store.setItem(scope.pathname + "." + key, JSON.stringify(value)); } catch (error) { /* a browser that keeps nothing */ }
  };
  window.kbBase = script.dataset.base;
  if (script.dataset.place) window.kbPlace = script.dataset.place;
})(document.currentScript);
