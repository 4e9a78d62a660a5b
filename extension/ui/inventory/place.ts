import { useEffect, useLayoutEffect, useState } from 'preact/hooks'

/** Where the seller is in the full page; kept in the address, so that back, reload and links work. */
export type Place =
  | { screen: 'inventory' }
  | { screen: 'tasks' }
  | { screen: 'choices' }
  | { screen: 'item'; uid: string }
  | { screen: 'imports'; job: string | null; status: string | null }
  | { screen: 'conflict'; job: string; item: string }

/** The place that an address's fragment names; an unknown one is the table. */
export function placeOf(hash: string): Place {
  const [screen, one, two] = hash.replace(/^#/, '').split('/')
  if (screen === 'tasks' || screen === 'choices') return { screen }
  if (screen === 'item' && one) return { screen, uid: one }
  if (screen === 'imports') return { screen, job: one || null, status: two ?? null }
  if (screen === 'conflict' && one && two) return { screen, job: one, item: two }
  return { screen: 'inventory' }
}

/** How often this page went from place to place: so many ways back there are. */
let moves = 0

/** The way back; a page that was opened at this place goes to the one above it instead. */
export function goBack(place: Place): void {
  if (moves > 0) history.back()
  else location.replace(place.screen === 'conflict' ? `#imports/${place.job}/conflict` : '#inventory')
}

/** The keys of the whole page: Escape goes back, "/" searches. A dialog and a field have their own. */
export function usePlaceKeys(place: Place): void {
  // Before the place is painted: a key pressed right after it was opened would be the one before's otherwise.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const at = event.target
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (document.querySelector('dialog[open]')) return
      const writing = at instanceof Element && at.matches('input:not([type=checkbox]), select, textarea')
      if (event.key === 'Escape' && !writing && (place.screen === 'item' || place.screen === 'conflict')) {
        event.preventDefault()
        goBack(place)
      }
      if (event.key === '/' && !writing && place.screen === 'inventory') {
        event.preventDefault()
        document.querySelector<HTMLInputElement>('input[type=search]')?.focus()
      }
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [place])
}

/** Who came by keyboard goes on in the place that is shown now, when what had the focus is gone. */
export function useFocusAt(place: Place): void {
  useLayoutEffect(() => {
    const at = document.activeElement
    if (at && at !== document.body && at.checkVisibility()) return
    if (moves === 0) return
    const main = document.querySelector('main:not([hidden])')
    main?.querySelector<HTMLElement>('[role=grid]')?.focus()
    if (!main?.contains(document.activeElement)) main?.querySelector<HTMLElement>('h1')?.focus()
  }, [place.screen])
}

/** The place that the address names after its #; follows every change of it. */
export function usePlace(): Place {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const listen = () => {
      moves++
      setHash(location.hash)
    }
    addEventListener('hashchange', listen)
    return () => removeEventListener('hashchange', listen)
  }, [])
  return placeOf(hash)
}
