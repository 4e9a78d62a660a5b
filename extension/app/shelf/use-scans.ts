import { useLayoutEffect, useRef } from 'preact/hooks'

type Field = HTMLInputElement | HTMLTextAreaElement

/**
 * Acts on a code that a scanner typed into `field`, or on the page. True: the code is taken, and the field gets its text
 * back. False: the code stays in the field as text, without the Enter after it. Null: these are keys like any others.
 */
export type OnScan = (code: string, field: Field | null) => boolean | null

/** The longest pause between two keys of a scanner in ms. People take about twice as long. */
const pauseMs = 60
/** Fewest keys of a code. */
const fewest = 4

/** Listens to scanners that type: keys in quick succession, with Enter at their end. Null listens to none. */
export function useScans(onScan: OnScan | null): void {
  const act = useRef(onScan)
  act.current = onScan
  useLayoutEffect(() => {
    let keys = ''
    let last = Number.NEGATIVE_INFINITY
    let field: Field | null = null
    let before = ''
    const listen = (event: KeyboardEvent) => {
      if (!act.current || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return
      // A scanner holds Shift for capitals.
      if (event.key === 'Shift') return
      const isFast = event.timeStamp - last < pauseMs
      last = event.timeStamp
      if (event.key.length === 1) {
        const at = fieldOf(event.target)
        // A scanner stays where it began: quick hands go from a button to a field.
        if (!isFast || at !== field) {
          keys = ''
          field = at
          before = field?.value ?? ''
        }
        keys += event.key
        // On the page, letters of a code are no shortcuts. The first three may be: quick hands type those, too.
        if (!field && keys.length >= fewest) stop(event)
        return
      }
      const code = keys
      keys = ''
      last = Number.NEGATIVE_INFINITY
      if (event.key !== 'Enter' || !isFast || code.length < fewest) return
      const taken = act.current(code, field)
      if (taken === null) return
      stop(event)
      if (!taken || !field) return
      field.value = before
      field.dispatchEvent(new Event('input', { bubbles: true }))
    }
    // Before every other listener, since the keys of a code mean nothing else.
    addEventListener('keydown', listen, true)
    return () => removeEventListener('keydown', listen, true)
  }, [])
}

function stop(event: Event): void {
  event.preventDefault()
  event.stopImmediatePropagation()
}

function fieldOf(target: EventTarget | null): Field | null {
  const isField = target instanceof Element && target.matches('input:not([type=checkbox], [type=radio]), textarea')
  return isField ? (target as Field) : null
}
