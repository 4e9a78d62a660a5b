import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import { scanPart } from '../shelf/read-scan.ts'

/** The current screen, stored in the URL fragment so that back, reload and links work. */
export type Place =
  /** `isLost`: the fragment names no screen. */
  | { screen: 'home'; isLost?: true }
  | { screen: 'sales' }
  | { screen: 'shops' }
  /** Orders to ship. `print`: its pick list, or the packing slips of some or all orders. */
  | { screen: 'to-ship'; print: 'pick' | 'slips' | null; orders: string[] }
  /** The account's screen, which the web app brings. */
  | { screen: 'account' }
  | { screen: 'inventory' }
  | { screen: 'choices' }
  /** `platform`: the marketplace to set up. */
  | { screen: 'takedowns'; platform: string | null }
  | { screen: 'changes' }
  | { screen: 'differences' }
  | { screen: 'checks' }
  | { screen: 'sale-mail' }
  | { screen: 'shelf' }
  /** Import and export of files. */
  | { screen: 'files' }
  /** `opens`: the dialog to open with. */
  | { screen: 'item'; uid: string; opens: 'list' | 'unsold' | null }
  | { screen: 'edit'; uid: string }
  /** `place`: where scanned items move. `code`: one that was scanned on another screen. */
  | { screen: 'scan'; place: string | null; code: string | null }
  /** Drafts that this device keeps and sends. */
  /** `lost`: what another app shared could not be kept. */
  | { screen: 'drafts'; lost: boolean }
  /** `copy`: the item that the new one duplicates. `code`: its product code. */
  | { screen: 'new'; copy: string | null; code: string | null }
  | { screen: 'imports'; job: string | null; status: string | null }
  | { screen: 'conflict'; job: string; item: string }
  | { screen: 'decisions'; job: string | null }
  /** Listings of bulk jobs that wait for an answer, over the first screen. */
  | { screen: 'unanswered'; platform: string }

const plain = [
  ...(['sales', 'sale-mail', 'shops', 'account', 'choices'] as const),
  ...(['changes', 'differences', 'checks', 'files', 'shelf'] as const),
]

/** Parses a fragment. An empty one leads to `start`, unknown ones to the first screen, which says so. */
function placeOf(hash: string, start: 'home' | 'inventory' = 'inventory'): Place {
  const [screen, one, two] = hash.replace(/^#/, '').split('/')
  if (!screen) return { screen: start }
  // Notifications about tasks lead to `#tasks`.
  if (screen === 'home' || screen === 'tasks') return { screen: 'home' }
  const found = plain.find((one) => one === screen)
  if (found) return { screen: found }
  if (screen === 'drafts') return { screen, lost: one === 'lost' }
  if (screen === 'to-ship') {
    const orders = two?.split(',').filter(Boolean) ?? []
    return { screen, print: one === 'pick' || one === 'slips' ? one : null, orders }
  }
  if (screen === 'item' && one && two === 'edit') return { screen: 'edit', uid: one }
  if (screen === 'item' && one) return { screen, uid: one, opens: two === 'list' || two === 'unsold' ? two : null }
  if (screen === 'takedowns') return { screen, platform: one || null }
  if (screen === 'scan') return { screen, place: one ? scanPart(one) : null, code: two ? scanPart(two) : null }
  if (screen === 'new') return { screen, copy: one || null, code: two ? scanPart(two) : null }
  if (screen === 'imports') return { screen, job: one || null, status: two ?? null }
  if (screen === 'conflict' && one && two) return { screen, job: one, item: two }
  if (screen === 'unanswered' && one) return { screen, platform: one }
  if (screen === 'decisions') return { screen, job: one || null }
  return screen === 'inventory' ? { screen } : { screen: 'home', isLost: true }
}

/** Number of navigations in this page, so the number of steps back. */
let moves = 0

/** Goes back. A page opened at this screen goes to the parent screen instead. */
export function goBack(place: Place): void {
  if (moves > 0) history.back()
  else location.replace(parentOf(place))
}

function parentOf(place: Place): string {
  if (place.screen === 'conflict') return `#imports/${place.job}/conflict`
  if (place.screen === 'to-ship') return '#to-ship'
  return place.screen === 'edit' ? `#item/${place.uid}` : '#inventory'
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

/** Focuses the new screen if the focused element disappeared. */
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
