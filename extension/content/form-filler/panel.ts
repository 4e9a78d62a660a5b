import type { ContentScriptContext } from 'wxt/utils/content-script-context'
import { text } from '#extension/i18n/content-text.ts'
import { createHighlights, type Highlight } from './highlights.ts'
import { panelStyle } from './panel-style.ts'

/** A button of the panel. */
export interface Action {
  label: string
  /** Accessible name, if the label alone is ambiguous. */
  name?: string
  /** The primary action. */
  main?: boolean
  act: (button: HTMLButtonElement) => void
}

/** A line of the panel: a field and its outcome, or something to choose. */
export interface Line {
  sign: 'filled' | 'check' | 'left' | 'none'
  label: string
  why?: string | null
  action?: Action | null
}

export interface PanelView {
  tone: 'plain' | 'good' | 'warn'
  status: string
  note?: string | null
  lines?: readonly Line[]
  actions?: readonly Action[]
  highlights?: readonly Highlight[]
}

/** Signs as drawings, since color must not be the only sign. */
const drawings = {
  filled: 'M2 6.5 5 9.5 10.5 3',
  check: 'M6 2v5M6 10v.01',
  left: 'M6 10A4 4 0 1 0 6 2a4 4 0 0 0 0 8',
  none: '',
  fold: 'm3 4.5 3 3 3-3',
} as const

/** The panel beside a form. A closed shadow root keeps the page from reading or styling it, and it holds text only. */
export function createPanel(page: ContentScriptContext) {
  const host = document.createElement('hapax-form')
  const root = host.attachShadow({ mode: 'closed' })
  const box = make('section')
  box.setAttribute('aria-label', text('app.name'))
  const highlight = make('b', text('app.name'))
  const fold = button({ label: '', name: text('fill.fold'), act: () => setFolded(!('folded' in box.dataset)) })
  fold.className = 'fold'
  fold.append(draw('fold'))
  const head = make('header')
  head.append(highlight, fold)
  const status = make('p')
  status.className = 'status'
  status.setAttribute('role', 'status')
  const note = make('p')
  note.className = 'note'
  const list = make('ul')
  const foot = make('footer')
  box.append(head, status, note, list, foot)
  root.append(make('style', panelStyle), box)
  const highlights = createHighlights(page, root)
  page.onInvalidated(() => host.remove())

  function setFolded(folded: boolean): void {
    if (folded) box.dataset.folded = ''
    else delete box.dataset.folded
    fold.setAttribute('aria-expanded', String(!folded))
  }
  setFolded(false)

  return {
    show(view: PanelView) {
      box.dataset.tone = view.tone
      // The import button uses the same corner.
      if (document.querySelector('hapax-import')) box.dataset.raised = ''
      else delete box.dataset.raised
      // Setting the same text again would make screen readers repeat it.
      if (status.textContent !== view.status) status.textContent = view.status
      note.textContent = view.note ?? ''
      note.hidden = !view.note
      list.replaceChildren(...(view.lines ?? []).map(lineOf))
      list.hidden = list.childElementCount === 0
      foot.replaceChildren(...(view.actions ?? []).map(button))
      foot.hidden = foot.childElementCount === 0
      fold.hidden = list.hidden && foot.hidden
      if (!host.isConnected) document.documentElement.append(host)
      highlights.show(view.highlights ?? [])
    },
    /** Changes only the note. */
    say(words: string) {
      if (note.textContent !== words) note.textContent = words
      note.hidden = words === ''
    },
    highlight: (shown: readonly Highlight[]) => highlights.show(shown),
    holds: (event: Event) => event.composedPath().includes(host),
    hide() {
      highlights.show([])
      setFolded(false)
      host.remove()
    },
  }
}

export type Panel = ReturnType<typeof createPanel>

function lineOf({ sign, label, why, action }: Line): HTMLElement {
  const line = make('li')
  line.dataset.sign = sign
  const words = make('div')
  words.append(make('p', label))
  if (why) {
    const reason = make('p', why)
    reason.className = 'why'
    words.append(reason)
  }
  if (sign !== 'none') {
    const drawn = draw(sign)
    drawn.classList.add('sign')
    drawn.setAttribute('role', 'img')
    drawn.setAttribute('aria-label', text(`fill.result.${sign}`))
    line.append(drawn)
  }
  line.append(words)
  if (action) {
    const small = button(action)
    small.classList.add('small')
    line.append(small)
  }
  return line
}

function button({ label, name, main, act }: Action): HTMLButtonElement {
  const element = make('button', label)
  element.type = 'button'
  if (main) element.className = 'main'
  if (name) element.setAttribute('aria-label', name)
  element.addEventListener('click', (event) => {
    // Pages can synthesize clicks. Only the seller's count.
    if (event.isTrusted) act(element)
  })
  return element
}

function draw(name: keyof typeof drawings): SVGElement {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg')
  svg.setAttribute('viewBox', '0 0 12 12')
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path')
  path.setAttribute('d', drawings[name])
  svg.append(path)
  return svg
}

function make<Name extends keyof HTMLElementTagNameMap>(name: Name, words = ''): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name)
  element.textContent = words
  return element
}
