import { hostStyle } from '../host-style.ts'

/** Style of the panel. */
export const panelStyle = `
${hostStyle}
* { box-sizing: border-box; }
section {
  z-index: 2147483001;
  display: flex; flex-direction: column; width: 280px; max-height: min(560px, calc(100vh - 32px)); overflow: hidden;
}
section[data-raised] { inset-block-end: 80px; }
header { display: flex; align-items: center; gap: 8px; padding: 8px 8px 0 12px; }
b { flex: 1; font-weight: 600; color: var(--ink-soft); }
p { margin: 0; overflow-wrap: anywhere; }
.status { padding: 2px 12px 8px; }
section[data-tone='good'] .status { color: var(--good); }
section[data-tone='warn'] .status { color: var(--warn); }
.note { padding: 0 12px 8px; color: var(--ink-soft); }
ul { list-style: none; margin: 0; padding: 0; overflow-y: auto; border-top: 1px solid var(--line); }
li { display: flex; align-items: start; gap: 8px; padding: 5px 8px 5px 12px; }
li + li { border-top: 1px solid var(--line); }
li > div { flex: 1; min-width: 0; padding-block: 1px; }
.sign { flex: none; width: 12px; height: 12px; margin-top: 4px; }
[data-sign='filled'] .sign { color: var(--good); }
[data-sign='check'] .sign { color: var(--warn); }
[data-sign='left'] .sign, [data-sign='none'] .sign { color: var(--line-strong); }
.why { color: var(--ink-soft); }
[data-sign='check'] .why { color: var(--warn); }
footer { display: flex; flex-wrap: wrap; gap: 8px; padding: 8px 12px 12px; border-top: 1px solid var(--line); }
button {
  font: inherit; font-weight: 600; padding: 4px 9px; border: 1px solid transparent; border-radius: 6px; cursor: pointer;
  background: none; color: var(--accent); box-shadow: inset 0 0 0 1px var(--line);
}
button.main { background: var(--accent); color: var(--on-accent); box-shadow: none; }
button.small { flex: none; padding: 0 7px; font-weight: 400; }
button.fold { padding: 1px; color: var(--ink-soft); box-shadow: none; line-height: 0; }
button:hover { filter: brightness(1.08); text-decoration: underline; }
button.main:hover, button.fold:hover { text-decoration: none; }
button:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
svg { display: block; width: 12px; height: 12px; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.fold svg { width: 18px; height: 18px; }
section[data-folded] .fold svg { transform: rotate(180deg); }
section[data-folded] :is(ul, footer, .note) { display: none; }
i {
  position: fixed; z-index: 2147483000; pointer-events: none; border-radius: 6px;
  outline: 2px solid var(--mark); outline-offset: 1px;
}
i[data-sign='filled'] { --mark: var(--good); }
i[data-sign='check'] { --mark: var(--warn); outline-style: dashed; }
i[data-sign='left'] { --mark: var(--line-strong); outline-style: dotted; }
i[data-sign='press'] { --mark: var(--accent); outline-width: 3px; outline-offset: 2px; }
@media (max-width: 640px) {
  section { inset: auto 8px 8px 8px; width: auto; max-height: 45vh; }
  section[data-raised] { inset: auto 8px 72px 8px; }
}
`
