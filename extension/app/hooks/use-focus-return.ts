import { useLayoutEffect, useRef } from 'preact/hooks'

/**
 * Returns keyboard focus to the button that led away from the first screen. `away`: another screen is shown. The button
 * is found by its name because it is rendered anew. Call the returned function when leaving.
 */
export function useFocusReturn(away: boolean): () => void {
  const left = useRef<string | null>(null)
  useLayoutEffect(() => {
    if (away || left.current === null) return
    const name = left.current
    left.current = null
    const all = document.querySelectorAll<HTMLElement>('button, a[href]')
    ;[...all].find((one) => nameOf(one) === name)?.focus()
  }, [away])
  return () => {
    left.current = nameOf(document.activeElement)
  }
}

function nameOf(element: Element | null): string | null {
  return element?.getAttribute('aria-label') ?? element?.textContent ?? null
}
