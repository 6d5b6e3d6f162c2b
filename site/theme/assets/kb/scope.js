/* First of all scripts, before anything is drawn: where the site begins, what it keeps in this browser, and the colours chosen. */
"use strict";
(function (script) {
  window.kbBase = script.dataset.base;
  if (script.dataset.place) window.kbPlace = script.dataset.place;
  const scope = new URL(window.kbBase + "/", location).pathname;
  window.kbKept = {
    get(key) { try { return JSON.parse(localStorage.getItem(scope + "." + key)); } catch (error) { return null; } },
    set(key, value) { try { localStorage.setItem(scope + "." + key, JSON.stringify(value)); } catch (error) { /* a browser that keeps nothing */ } },
  };
  /* Whether the reader has finished a campaign, so that its spoilers are told. */
  window.kbFinished = (campaign) => [].concat(window.kbKept.get("finished")).includes(campaign);
  /* What stands behind the # of the address; a stray % is left as it is. */
  window.kbPart = () => { const part = location.hash.slice(1); try { return decodeURIComponent(part); } catch (error) { return part; } };
  const dark = matchMedia("(prefers-color-scheme: dark)");
  window.kbColours = () => {
    const chosen = window.kbKept.get("colours");
    document.body.dataset.mdColorScheme = (chosen ? chosen === "dark" : dark.matches) ? "slate" : "default";
  };
  dark.addEventListener("change", window.kbColours);
  window.kbColours();
})(document.currentScript);
