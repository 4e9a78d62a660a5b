import type { ContentScriptContext } from 'wxt/utils/content-script-context'
import { text } from '#extension/i18n/content-text.ts'
import type { PageShow } from '#extension/messaging/page-view.ts'
import { buttonStyle } from './button-style.ts'

/** The button's state. `progress` is 0 to 1, or null for no bar. */
interface ButtonView {
  label: string
  action: string | null
  progress: number | null
  tone: 'plain' | 'warn' | 'good'
}

/**
 * Shows a small button in the corner of the seller's own shop. A closed shadow root keeps the page from reading or
 * styling it, and it holds text only. Absent if there is nothing to offer.
 */
export function showButton(page: ContentScriptContext, platform: string, onPress: () => void) {
  const host = document.createElement('hapax-import')
  const root = host.attachShadow({ mode: 'closed' })
  const style = document.createElement('style')
  style.textContent = buttonStyle
  const box = document.createElement('section')
  box.setAttribute('aria-label', text('app.name'))
  const status = document.createElement('p')
  status.setAttribute('role', 'status')
  const bar = document.createElement('progress')
  const button = document.createElement('button')
  button.type = 'button'
  button.addEventListener('click', (event) => {
    // Pages can synthesize clicks. Only the seller's count.
    if (!event.isTrusted) return
    button.disabled = true
    onPress()
  })
  box.append(brand(), status, bar, button)
  root.append(style, box)
  page.onInvalidated(() => host.remove())

  return {
    show(show: PageShow) {
      const view = buttonViewOf(show, platform)
      if (!view) return host.remove()
      box.dataset.tone = view.tone
      setText(status, view.label)
      status.hidden = view.label === ''
      bar.hidden = view.progress === null
      bar.setAttribute('aria-label', text('app.name'))
      if (view.progress === null || Number.isNaN(view.progress)) bar.removeAttribute('value')
      else bar.value = view.progress
      setText(button, view.action ?? '')
      button.hidden = view.action === null
      button.disabled = false
      if (!host.isConnected) document.documentElement.append(host)
    },
  }
}

function buttonViewOf(show: PageShow, platform: string): ButtonView | null {
  const plain = { label: '', action: null, progress: null, tone: 'plain' } as const
  switch (show.kind) {
    case 'nothing':
      return null
    case 'sign_in':
      return { ...plain, label: text('page.sign_in') }
    case 'offer':
      return {
        ...plain,
        action: show.total === null ? text('page.import_unknown') : text('page.import', { n: show.total }),
      }
    case 'reading':
      return {
        ...plain,
        label:
          show.total === null
            ? text('page.reading', { n: show.read })
            : text('page.reading_of', { n: show.read, total: Math.max(show.total, show.read) }),
        // NaN shows an indeterminate bar.
        progress: show.total ? Math.min(1, show.read / show.total) : Number.NaN,
      }
    case 'sending':
      return { ...plain, label: text('page.sending', { n: show.read }), progress: Number.NaN }
    case 'stopped':
      return { ...plain, label: text(`stop.${show.reason}`, { platform }), action: text('page.continue'), tone: 'warn' }
    case 'refused':
      return { ...plain, label: text('page.refused'), tone: 'warn' }
    case 'checking':
      return { ...plain, label: text('page.checking') }
    case 'sold':
      return { ...plain, label: text('page.sold', { n: show.sold }), action: text('page.again'), tone: 'good' }
    case 'off':
      return { ...plain, label: text('page.off', { platform }), tone: 'warn' }
    case 'stuck':
      return { ...plain, label: text(`page.stuck.${show.reason}`), action: text('page.continue'), tone: 'warn' }
    case 'done':
      if (show.problem !== null) return { ...plain, label: show.problem, action: text('page.again'), tone: 'warn' }
      return {
        ...plain,
        label:
          show.failed > 0
            ? text('page.done_failed', { n: show.read, failed: show.failed })
            : text('page.done', { n: show.read }),
        action: text('page.again'),
        tone: 'good',
      }
  }
}

function brand(): HTMLElement {
  const brand = document.createElement('b')
  brand.textContent = text('app.name')
  return brand
}

function setText(element: HTMLElement, value: string): void {
  // Setting the same text again would make screen readers repeat it.
  if (element.textContent !== value) element.textContent = value
}
