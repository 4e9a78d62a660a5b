import { hostStyle } from '../host-style.ts'

/** Style of the button. */
export const buttonStyle = `
${hostStyle}
section {
  display: flex; flex-wrap: wrap; align-items: center; gap: 8px; width: max-content; max-width: 300px; padding: 8px;
}
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
