/** The tokens of app/shell/tokens.css that our elements in pages of marketplaces use, and the look of their boxes. */
export const hostStyle = `
:host {
  all: initial;
  color-scheme: light dark;
  --ink: light-dark(#1b1d22, #eceef2);
  --ink-soft: light-dark(#595f6b, #a5acb8);
  --paper: light-dark(#ffffff, #1d2026);
  --line: light-dark(#dfe2e8, #363b45);
  --line-strong: light-dark(#80868f, #7b8290);
  --accent: light-dark(#2f4fd0, #93a8ff);
  --on-accent: light-dark(#ffffff, #12162b);
  --good: light-dark(#1d6b3c, #74cf98);
  --warn: light-dark(#8a5200, #f0b65a);
}
[hidden] { display: none !important; }
section {
  position: fixed; inset: auto 16px 16px auto; z-index: 2147483000;
  border: 1px solid var(--line); border-radius: 8px;
  background: var(--paper); color: var(--ink); box-shadow: 0 2px 12px rgb(0 0 0 / 0.16);
  font: 13px/18px system-ui, sans-serif; font-variant-numeric: tabular-nums; text-align: start;
}
`
