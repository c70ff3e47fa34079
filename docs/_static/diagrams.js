// Draws the diagrams of a page in the colours of its theme, and again when the theme changes.
(() => {
  const diagrams = [...document.querySelectorAll("pre.mermaid")];
  const sources = diagrams.map((diagram) => diagram.textContent);
  const prefersDark = matchMedia("(prefers-color-scheme: dark)");
  let shown;

  const draw = async () => {
    const { theme } = document.body.dataset;
    const isDark = theme === "dark" || (theme !== "light" && prefersDark.matches);
    if (isDark === shown) return;
    shown = isDark;
    const style = getComputedStyle(document.body);
    const colour = (name) => style.getPropertyValue(name).trim();
    mermaid.initialize({
      startOnLoad: false,
      theme: "base",
      themeVariables: {
        darkMode: isDark,
        fontFamily: colour("--font-stack"),
        background: colour("--color-background-primary"),
        primaryColor: colour("--color-background-secondary"),
        primaryBorderColor: colour("--color-brand-primary"),
        primaryTextColor: colour("--color-foreground-primary"),
        lineColor: colour("--color-foreground-secondary"),
        edgeLabelBackground: colour("--color-background-primary"),
        noteBkgColor: colour("--color-highlight-on-target"),
        noteTextColor: colour("--color-foreground-primary"),
        noteBorderColor: colour("--color-background-border"),
      },
    });
    diagrams.forEach((diagram, number) => {
      delete diagram.dataset.processed;
      diagram.textContent = sources[number];
    });
    await mermaid.run({ nodes: diagrams });
  };

  // The theme sets its attribute when the page is loaded.
  addEventListener("DOMContentLoaded", () => {
    draw();
    new MutationObserver(draw).observe(document.body, { attributeFilter: ["data-theme"] });
    prefersDark.addEventListener("change", draw);
  });
})();
