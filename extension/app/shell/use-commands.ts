import { useLayoutEffect, useState } from 'preact/hooks'

/** A layer above the screen that a key opens. */
type Layer = 'palette' | 'keys'

/**
 * Keys of every screen: Ctrl K or Cmd K opens the palette, "?" the list of keys, Ctrl S or Cmd S saves the form. Keys with
 * Ctrl hold in fields, too. Returns the open layer.
 */
export function useCommands(): [Layer | null, (layer: Layer | null) => void] {
  const [layer, setLayer] = useState<Layer | null>(null)
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.altKey) return
      const withCtrl = event.ctrlKey || event.metaKey
      const key = event.key.toLowerCase()
      if (withCtrl && key === 's') {
        // Never the browser's own dialog, which would save the page as a file.
        event.preventDefault()
        const form =
          document.activeElement?.closest('form') ?? document.querySelector('dialog[open] form, form.item-form')
        if (form instanceof HTMLFormElement) form.requestSubmit()
        return
      }
      if (document.querySelector('dialog[open]')) return
      if (withCtrl && key === 'k') {
        event.preventDefault()
        setLayer('palette')
      }
      const { target } = event
      const isWriting = target instanceof Element && target.matches('input:not([type=checkbox]), select, textarea')
      if (event.key === '?' && !withCtrl && !isWriting) {
        event.preventDefault()
        setLayer('keys')
      }
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [])
  return [layer, setLayer]
}
