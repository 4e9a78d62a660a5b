import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import type { Screen } from './room.tsx'
import { screens } from './rooms.ts'

/** The current screen and what its fragment says of it, so that back, reload and links work. */
export interface Place {
  screen: Screen
  values: unknown
}

/** Parses a fragment. An empty one leads to `start`, unknown ones to the first screen, which says so. */
export function placeOf(hash: string, start: 'home' | 'inventory' = 'inventory'): Place {
  const [path, ...parts] = hash.replace(/^#/, '').split('/')
  return findPlace(path || start, parts) ?? findPlace('lost', [])!
}

function findPlace(path: string, [one, two]: string[]): Place | null {
  for (const screen of screens.filter((each) => (each.path ?? each.name) === path)) {
    const values = screen.read ? screen.read(one, two) : {}
    if (values) return { screen, values }
  }
  return null
}

/** Number of navigations in this page, so the number of steps back. */
let moves = 0

/** Goes back. A page opened at this screen goes to the parent screen instead. */
export function goBack({ screen, values }: Place): void {
  if (moves > 0) history.back()
  else location.replace(screen.parent?.(values) ?? '#inventory')
}

/** Page-wide keys: Escape goes back, "/" searches. Dialogs and fields handle their own keys. */
export function usePlaceKeys(place: Place): void {
  // A layout effect, so that a key pressed right after opening reaches the new screen.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const at = event.target
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (document.querySelector('dialog[open]')) return
      const writing = at instanceof Element && at.matches('input:not([type=checkbox]), select, textarea')
      if (event.key === 'Escape' && !writing && place.screen.escapes) {
        event.preventDefault()
        goBack(place)
      }
      if (event.key === '/' && !writing && place.screen.name === 'inventory') {
        event.preventDefault()
        document.querySelector<HTMLInputElement>('input[type=search]')?.focus()
      }
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [place])
}

/** Focuses the new screen if the focused element disappeared. */
export function useFocusAt(place: Place): void {
  useLayoutEffect(() => {
    const at = document.activeElement
    if (at && at !== document.body && at.checkVisibility()) return
    if (moves === 0) return
    const main = document.querySelector('main:not([hidden])')
    main?.querySelector<HTMLElement>('[role=grid]')?.focus()
    if (!main?.contains(document.activeElement)) main?.querySelector<HTMLElement>('h1')?.focus()
  }, [place.screen.name])
}

/** Returns the screen that the URL fragment names, and follows changes. */
export function usePlace(start: 'home' | 'inventory'): Place {
  const [hash, setHash] = useState(location.hash)
  useEffect(() => {
    const listen = () => {
      moves++
      setHash(location.hash)
    }
    addEventListener('hashchange', listen)
    return () => removeEventListener('hashchange', listen)
  }, [])
  return placeOf(hash, start)
}
