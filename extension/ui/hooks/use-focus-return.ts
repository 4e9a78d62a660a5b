import { useLayoutEffect, useRef } from 'preact/hooks'

/**
 * Who comes back to the first screen by keyboard goes on at the button that led away from it. `away`: another screen is
 * shown. The button is known by its name, since it is made anew. Returns what notes it, to be called on the way out.
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
