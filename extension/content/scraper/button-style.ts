/** Style of the button, with the tokens of ui/tokens.css. */
export const buttonStyle = `
:host {
  all: initial;
  color-scheme: light dark;
  --ink: light-dark(#1b1d22, #eceef2);
  --ink-soft: light-dark(#595f6b, #a5acb8);
  --paper: light-dark(#ffffff, #1d2026);
  --line: light-dark(#dfe2e8, #363b45);
  --accent: light-dark(#2f4fd0, #93a8ff);
  --on-accent: light-dark(#ffffff, #12162b);
  --warn: light-dark(#8a5200, #f0b65a);
  --good: light-dark(#1d6b3c, #74cf98);
}
section {
  position: fixed; inset: auto 16px 16px auto; z-index: 2147483000;
  display: flex; flex-wrap: wrap; align-items: center; gap: 8px; width: max-content; max-width: 300px;
  padding: 8px; border: 1px solid var(--line); border-radius: 8px;
  background: var(--paper); color: var(--ink); box-shadow: 0 2px 12px rgb(0 0 0 / 0.16);
  font: 13px/18px system-ui, sans-serif; font-variant-numeric: tabular-nums; text-align: start;
}
[hidden] { display: none !important; }
b { padding-inline: 4px; font-weight: 600; color: var(--ink-soft); }
p { margin: 0; padding-inline-end: 4px; }
section[data-tone='warn'] p { flex: 1 1 100%; padding-inline: 4px; }
section[data-tone='warn'] b { color: var(--warn); }
section[data-tone='good'] b { color: var(--good); }
progress { appearance: none; flex: 1 1 100%; height: 4px; border: 0; border-radius: 2px; overflow: hidden; background: var(--line); accent-color: var(--accent); }
progress::-webkit-progress-bar { background: var(--line); }
progress::-webkit-progress-value { background: var(--accent); }
progress::-moz-progress-bar { background: var(--accent); }
button {
  font: inherit; font-weight: 600; padding: 5px 11px; border: 1px solid transparent; border-radius: 6px; cursor: pointer;
  background: var(--accent); color: var(--on-accent);
}
section[data-tone='good'] button { background: none; color: var(--accent); box-shadow: inset 0 0 0 1px var(--line); }
button:hover { filter: brightness(1.08); }
button:disabled { opacity: 0.6; cursor: default; }
button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
@media (forced-colors: active) {
  progress { forced-color-adjust: none; height: 6px; border: 1px solid CanvasText; background: Canvas; }
  progress::-webkit-progress-bar { background: Canvas; }
  progress::-webkit-progress-value { background: Highlight; }
  progress::-moz-progress-bar { background: Highlight; }
}
`
