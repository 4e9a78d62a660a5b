import { useLayoutEffect } from 'preact/hooks'

/** Runs what a key means on a page, unless the seller types in a field. A key without a meaning keeps its own. */
export function useKeys(actionOf: (key: string, target: EventTarget | null) => (() => void) | undefined): void {
  // Listens before the next key can arrive: an effect after painting would act on the row of the render before.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      const { target } = event
      if (target instanceof Element && target.matches('input:not([type=checkbox]), select, textarea')) return
      const action = actionOf(event.key, target)
      if (!action) return
      event.preventDefault()
      action()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  })
}
