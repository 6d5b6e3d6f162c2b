/* Draws the flow diagrams of a page with the Mermaid beside this file, in the page's colours; again when the colours change. */
"use strict";
(function () {
  const sources = [...document.querySelectorAll("pre.kb-diagram")].map((block) => [block, block.textContent]);
  if (!sources.length || !window.mermaid) return;
  let run = 0;
  async function draw() {
    const mine = ++run, style = getComputedStyle(document.body), colour = (name) => style.getPropertyValue(name).trim();
    window.mermaid.initialize({
      startOnLoad: false, securityLevel: "strict", theme: "base",
      themeVariables: {
        fontFamily: style.fontFamily, fontSize: "15px", primaryColor: colour("--kb-raised"), primaryTextColor: colour("--kb-ink"),
        primaryBorderColor: colour("--kb-line-strong"), lineColor: colour("--kb-soft"), edgeLabelBackground: colour("--kb-paper"), tertiaryColor: colour("--kb-paper"),
      },
      flowchart: { htmlLabels: false, curve: "basis", useMaxWidth: true },
    });
    for (const [at, [block, text]] of sources.entries()) {
      try {
        const { svg } = await window.mermaid.render("kb-diagram-" + mine + "-" + at, text);
        if (mine !== run) return;
        block.innerHTML = svg;
        block.classList.add("kb-diagram--drawn");
      } catch (error) { block.textContent = text; }
    }
  }
  draw();
  new MutationObserver(draw).observe(document.body, { attributes: true, attributeFilter: ["data-md-color-scheme"] });
})();
