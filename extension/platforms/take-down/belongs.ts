import type { Listing } from '../sell-form/form.ts'
import { textOf } from '../sell-form/touch.ts'
import { menus, nameOf } from './controls.ts'

/** How a site names listings in its addresses and elements. */
export interface Naming {
  /** Returns the key of the listing that a path leads to: its page, its edit form or its management. Null for others. */
  keyIn(path: string): string | null
  keyOf(listing: Listing): string | null
  /** Values of `id` and `data-*` attributes that name a listing. Null if only addresses do. */
  idPattern: RegExp | null
}

/** The owner of a control: the listing, another one, or the page, which has to be the listing's own. */
type Owner = 'ours' | 'other' | 'page'

/** Returns the keys of the listings that an element names, itself or inside. */
function keysIn(element: Element, { keyIn, idPattern }: Naming): Set<string> {
  const keys = new Set<string>()
  for (const one of [element, ...element.querySelectorAll('*')]) {
    const address = one.getAttribute('href') ?? one.getAttribute('action')
    const key = address === null ? null : keyIn(URL.parse(address, location.href)?.pathname ?? '')
    if (key) keys.add(key)
    for (const { name, value } of idPattern ? one.attributes : []) {
      if (/^(id|data-.+)$/.test(name) && idPattern?.test(value)) keys.add(value)
    }
  }
  return keys
}

/** Returns true for an element that stands for one thing among others. Sites also call parts of their forms cards. */
function isCard(element: Element): boolean {
  if (element.querySelector('h1')) return false
  const one = 'li, article, tr, figure, [role="listitem"], [role="row"], [role="article"]'
  if (element.matches(one)) return element.querySelector('img, picture, p, h2, h3, h4, h5, h6') !== null
  const isCalledSo =
    element.matches('[class*="card" i], [class*="tile" i]') && !element.querySelector('input, textarea')
  return isCalledSo && (element.querySelector('img, picture') !== null || /[$£€]\s?\d/.test(textOf(element)))
}

/** Returns true for a part of a page that shows other listings. */
function showsOthers(element: Element): boolean {
  if (element.querySelector('h1')) return false
  const heading = element.querySelector('h2, h3, h4, h5, h6')
  const others =
    /\b(similar|more (from|like|items|listings)|you (may|might)|recommended|related|others?|people also|sponsored)\b/i
  return element.matches('aside, [role="complementary"]') || others.test(heading ? textOf(heading) : '')
}

/** Returns whose a control is, by the nearest part of the page that names a listing. */
function ownerOf(control: Element, ours: string, naming: Naming): Owner {
  const own = keysIn(control.closest('a') ?? control, naming)
  if (own.size > 0) return own.has(ours) && own.size === 1 ? 'ours' : 'other'
  for (let part = control.parentElement; part && part !== document.body; part = part.parentElement) {
    const keys = keysIn(part, naming)
    if (keys.size === 1 && keys.has(ours)) return 'ours'
    // A card that says nothing of its listing may be a look-alike's.
    if (isCard(part) || (showsOthers(part) && !keys.has(ours))) return 'other'
    if (keys.has(ours)) return 'page'
    if (keys.size > 0) return part.matches('main, [role="main"]') || part.querySelector('h1') ? 'page' : 'other'
  }
  return 'page'
}

/**
 * Returns true if a control is the listing's: it or its surroundings name that listing alone, or the page is the
 * listing's own and nothing nearer names another. An entry of a menu belongs to what its button belongs to.
 */
export function belongs(
  control: Element,
  listing: Listing,
  page: { naming: Naming; path: string; opener: Element | null },
): boolean {
  const { naming, path, opener } = page
  const ours = naming.keyOf(listing)
  if (ours === null) return false
  const owner = ownerOf(control, ours, naming)
  if (owner !== 'page') return owner === 'ours'
  if (naming.keyIn(path) === ours) return true
  const button = openerOf(control) ?? opener
  return button?.isConnected === true && ownerOf(button, ours, naming) === 'ours'
}

/** Returns the button that opened the menu around an entry, if the page says so. */
function openerOf(entry: Element): Element | null {
  const menu = entry.closest(menus)
  if (!menu) return null
  const named = menu.id ? document.querySelectorAll(`[aria-controls="${CSS.escape(menu.id)}"]`) : []
  const labels = document.getElementById(menu.getAttribute('aria-labelledby') ?? '')
  const open = [...document.querySelectorAll('[aria-expanded="true"]')].filter((one) => nameOf(one) !== '')
  const found = named.length > 0 ? [...named] : labels ? [labels] : open
  return found.length === 1 ? found[0]! : null
}

/** Returns true if the page has a part that names this listing alone, such as its row in a list. */
export function namesListing(listing: Listing, naming: Naming): boolean {
  const ours = naming.keyOf(listing)
  return [...document.querySelectorAll('a[href]')].some((one) => ours !== null && keysIn(one, naming).has(ours))
}
