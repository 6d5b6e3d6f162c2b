"""A Firefox page with the few methods of Playwright's Page that the tests use. It clicks and types like a reader."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from tests.site.firefox import Firefox

FIND = """
const plain = (text) => text.replace(/\\s+/g, " ").trim(), shadow = () => (document.querySelector("[data-kb-page]") || {}).shadowRoot;
const within = (scope, selector) => selector.startsWith("[data-kb-page] ") ? [...shadow().querySelectorAll(selector.slice(15))]
  : [...scope.querySelectorAll(selector), ...(scope === document && shadow() ? shadow().querySelectorAll(selector) : [])];
const name = (each) => plain(each.ariaLabel
  || (each.tagName === "FIELDSET" ? each.querySelector("legend") : (each.labels || [])[0] || each).innerText);
const ways = {
  css: (scope, selector) => within(scope, selector.replaceAll(":visible", "")),
  button: (scope) => within(scope, "button"),
  radio: (scope) => within(scope, "input[type=radio]"),
  group: (scope) => within(scope, "fieldset, [role=group]"),
  label: (scope) => within(scope, "input, select, textarea"),
};
let found = [document];
for (const [way, what, exact] of given[0]) {
  if (way === "nth") found = found.slice(what, what + 1);
  else if (way === "text") found = found.filter((each) => plain(each.textContent).includes(what));
  else {
    found = found.flatMap((each) => ways[way](each, what)).filter((each) => each.tagName === "OPTION" || each.checkVisibility());
    const low = String(what).toLowerCase();
    if (way !== "css" && what) found = found.filter((each) => exact ? name(each) === what : name(each).toLowerCase().includes(low));
  }
}
"""
LONGEST = 90


@dataclass(frozen=True)
class Found:
    """Elements on the page. `ways` are the steps that select them, one after another."""

    fox: Firefox
    ways: tuple[tuple[Any, ...], ...] = ()

    def _and(self, *way):
        return Found(self.fox, (*self.ways, way))

    def locator(self, selector, has_text=""):
        found = self._and("css", selector)
        return found.filter(has_text) if has_text else found

    def filter(self, has_text):
        return self._and("text", has_text)

    def get_by_role(self, role, name="", exact=False):
        return self._and(role, name, exact)

    def get_by_label(self, text, exact=False):
        return self._and("label", text, exact)

    def nth(self, number):
        return self._and("nth", number)

    @property
    def first(self):
        return self.nth(0)

    def run(self, script):
        """Run `script`, the body of a JavaScript function in which `found` contains the elements, and return its
        result.
        """
        told = self.fox.run(FIND + script, self.ways)
        assert not (isinstance(told, dict) and "failed" in told), told
        return told

    def wait_for(self, timeout=0):
        """Wait until the first element exists, scroll to it, and return it. `timeout` has no effect."""
        until = time.monotonic() + LONGEST
        while time.monotonic() < until:
            if told := self.run('if (found[0]) found[0].scrollIntoView({ block: "center" }); return found[0] || null;'):
                return next(iter(told.values()))
            time.sleep(0.1)
        raise AssertionError(f"not found: {self.ways}: {self.fox.run('return document.body.innerText')[-3000:]}")

    def click(self, timeout=0):
        self.fox("WebDriver:ElementClick", {"id": self.wait_for()})

    def check(self):
        self.wait_for()
        label = self.run("return found[0].checked ? null : found[0].labels[0]")
        if label:
            self.fox("WebDriver:ElementClick", {"id": next(iter(label.values()))})

    def fill(self, text):
        element = {"id": self.wait_for()}
        self.fox("WebDriver:ElementClear", element)
        self.fox("WebDriver:ElementSendKeys", {**element, "text": text})

    def count(self):
        return int(self.run("return found.length"))

    def is_visible(self):
        return self.count() > 0

    def all_inner_texts(self):
        return list(self.run("return found.map((each) => each.innerText)"))


class FoxPage(Found):
    """The whole page, as narrow as on a phone."""

    def goto(self, url):
        self.fox.open(url)

    def reload(self):
        self.fox("WebDriver:Refresh")

    def click(self, selector, timeout=0):
        self.locator(selector).click()

    def wait_for_selector(self, selector, timeout=0):
        self.locator(selector).wait_for()

    def wait_for_timeout(self, milliseconds):
        time.sleep(milliseconds / 1000)

    def select_option(self, selector, value):
        self.locator(selector).wait_for()
        self.locator(f"{selector} option[value='{value}']").click()

    def inner_text(self, selector):
        self.locator(selector).wait_for()
        return self.locator(selector).all_inner_texts()[0]

    def text_content(self, selector):
        self.locator(selector).wait_for()
        return str(self.locator(selector).run("return found[0].textContent"))

    def input_value(self, selector):  # also for a field inside a closed fold
        return str(self.fox.run("return document.querySelector(given[0]).value", selector))

    def evaluate(self, script):
        return self.fox.run(f"return ({script})()" if script.startswith("(") else f"return {script}")
