import type { ContentScriptContext } from 'wxt/utils/content-script-context'

type Sign = 'filled' | 'check' | 'left' | 'press'
export interface Highlight {
  element: Element
  sign: Sign
}

/** How often frames are repositioned without scrolling, in ms. Pages move their parts at will. */
const lookEveryMs = 400

/**
 * Draws frames around elements of the page from our own shadow root. Changes nothing in the page, which cannot see
 * them.
 */
export function createHighlights(page: ContentScriptContext, root: ShadowRoot) {
  let frames: { highlight: Highlight; frame: HTMLElement }[] = []
  let asked = false

  function place(): void {
    asked = false
    for (const { highlight, frame } of frames) {
      const { left, top, width, height } = highlight.element.getBoundingClientRect()
      const seen = highlight.element.isConnected && width > 0 && height > 0
      frame.hidden = !seen
      if (!seen) continue
      Object.assign(frame.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` })
    }
  }
  function ask(): void {
    if (asked || frames.length === 0) return
    asked = true
    page.requestAnimationFrame(place)
  }
  page.addEventListener(window, 'scroll', ask, { capture: true, passive: true })
  page.addEventListener(window, 'resize', ask)
  page.setInterval(ask, lookEveryMs)

  return {
    /** Replaces all highlights. */
    show(highlights: readonly Highlight[]) {
      for (const { frame } of frames) frame.remove()
      frames = highlights.map((highlight) => {
        const frame = document.createElement('i')
        frame.dataset.sign = highlight.sign
        root.append(frame)
        return { highlight, frame }
      })
      place()
    },
  }
}
