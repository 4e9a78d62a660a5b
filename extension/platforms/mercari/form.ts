import { titleMax } from '#shared/listing-limits.ts'
import { at, findScriptJson, shortText } from '../raw.ts'
import type { Made, SellForm } from '../sell-form/form.ts'
import { saysTitle } from '../sell-form/steps.ts'
import { textOf, waitFor } from '../sell-form/touch.ts'
import { down } from './down.ts'
import { itemRequest, listingUrl, origin, site } from './pages.ts'

/** Mercari's sell page. */
export const mercariForm: SellForm = {
  platform: 'mercari',
  isForm: (url) => url.origin === origin && /^\/sell\/?$/.test(url.pathname),
  ready: '[data-testid="Title"], #sellName',
  afterwards: 'fill.press.mercari',
  findMade,
  site,
  down,
  stateRequest: ({ listing_id }) => itemRequest(listing_id),
  readState(answer, { listing_id }) {
    if (answer.status === 404) return 'down'
    const status = at(itemIn(answer.text, listing_id), 'status')
    if (answer.status !== 200 || typeof status !== 'string') return null
    if (status === 'on_sale') return 'up'
    if (status === 'trading' || status === 'sold_out') return 'sold'
    // Unknown states say nothing.
    return /^(stop|stopped|inactive|cancel|admin_cancel|deleted)$/.test(status) ? 'down' : null
  },
  describe(answer, { listing_id }, account) {
    const item = itemIn(answer.text, listing_id)
    const seller = sellerOf(item)
    return { title: shortText(at(item, 'name')) ?? null, own: seller && account ? seller === account : null }
  },
}

/** Tolerated difference between the site's clock and the local one. */
const skewMs = 10 * 60_000

async function findMade(
  { url, since, title, known, account }: Parameters<SellForm['findMade']>[0],
  ask: Parameters<SellForm['findMade']>[1],
): Promise<Made | null> {
  const { pathname } = new URL(url)
  const confirmed = /^\/sell\/confirmation\/(m\d+)\/?$/.exec(pathname)?.[1]
  const listed = down.lists.test(pathname) ? await waitFor(() => idInList(title)) : null
  const id = confirmed ?? listed ?? /^\/us\/item\/(m\d+)\/?$/.exec(pathname)?.[1]
  if (!id || known.includes(id)) return null
  const item = itemIn((await ask(itemRequest(id)))?.text ?? '', id)
  const same = saysTitle(shortText(at(item, 'name')), title, titleMax.mercari)
  const made = { listing_id: id, listing_url: listingUrl(id) }
  // The confirmation proves a listing from this tab, even if the seller changed its title.
  if (confirmed) return { ...made, sure: same }
  const created = at(item, 'created')
  if (typeof created === 'number' && created * 1_000 <= since - skewMs) return null
  const [seller, own] = [sellerOf(item), await account()]
  if (seller !== null && own !== null && seller !== own) return null
  return { ...made, sure: same && typeof created === 'number' && seller !== null && seller === own }
}

/** Returns the item that the seller's own list shows by this title, the newest first. */
function idInList(title: string): string | null {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('a[href*="/us/item/m"]')]
  const found = links.find((one) => saysTitle(textOf(one), title, titleMax.mercari))
  return found ? down.keyIn(new URL(found.href).pathname) : null
}

/** Returns the seller id. Cache entries refer to other entries by key. */
function sellerOf(item: unknown): string | null {
  const ref = at(item, 'seller.__ref')
  const id = typeof ref === 'string' ? /:(\d{1,20})$/.exec(ref)?.[1] : String(at(item, 'seller.id') ?? '')
  return id && /^\d{1,20}$/.test(id) ? id : null
}

function itemIn(html: string, id: string): unknown {
  const cache = at(findScriptJson(html, '__NEXT_DATA__'), 'props.pageProps.serverState')
  return at(cache, `ItemDetail:${id}`)
}
