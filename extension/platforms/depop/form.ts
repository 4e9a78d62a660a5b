import type { PageRequest } from '../port.ts'
import { at, parseJson, shortText } from '../raw.ts'
import type { Made, SellForm } from '../sell-form/form.ts'
import { plain } from '../sell-form/words.ts'
import { down } from './down.ts'
import { api, listRequest, origin, ownProductRequest, productRequest, productUrl, site } from './pages.ts'

/** Depop's product form. */
export const depopForm: SellForm = {
  platform: 'depop',
  isForm: (url) => url.origin === origin && /^\/(?:[a-z]{2}\/)?products\/create\/(?:first\/?)?$/.test(url.pathname),
  ready: '#description',
  afterwards: 'fill.press.depop',
  findMade,
  site,
  down,
  stateRequest: ({ listing_id }): PageRequest => ({
    url: `${api}/presentation/api/v1/products/${encodeURIComponent(listing_id)}/`,
    accept: 'json',
  }),
  readState(answer) {
    const body = parseJson(answer.text)
    // A 404 that does not speak of the product says nothing about it.
    if (answer.status === 404) return /product/i.test(shortText(at(body, 'message')) ?? '') ? 'down' : null
    const status = at(body, 'status')
    if (answer.status !== 200 || typeof status !== 'string') return null
    if (status === 'STATUS_PURCHASED') return 'sold'
    if (status === 'STATUS_ONSALE') return 'up'
    // Unknown states say nothing.
    return /^STATUS_(DELETED|REMOVED|INACTIVE|DRAFT)$/.test(status) ? 'down' : null
  },
  describe(answer, _, account) {
    const product = parseJson(answer.text)
    const [seller, own] = [at(product, 'user_id'), accountOfText(account)]
    const [first = ''] = (shortText(at(product, 'description'), 2_000) ?? '').split('\n')
    const isKnown = /^\d{1,20}$/.test(String(seller)) && own !== null
    return { title: shortText(first) ?? null, own: isKnown ? String(seller) === own : null }
  },
}

/** Tolerated difference between the site's clock and the local one. */
const skewMs = 10 * 60_000

/** Finds the new product by its page, or in the seller's list, where a draft appears that was posted later. */
async function findMade(
  { url, since, title, known, account }: Parameters<SellForm['findMade']>[0],
  ask: Parameters<SellForm['findMade']>[1],
): Promise<Made | null> {
  const json = async (request: PageRequest) => {
    const answer = await ask(request)
    return answer?.status === 200 ? parseJson(answer.text) : undefined
  }
  const shownSlug = slugIn(url)
  const own = shownSlug || down.lists.test(new URL(url).pathname) ? accountOfText(await account()) : null
  const hasTitle = (product: unknown) => {
    const [first = ''] = (shortText(at(product, 'description'), 2_000) ?? '').split('\n')
    return plain(first) === plain(title)
  }
  const list = !shownSlug && own !== null ? at(await json(listRequest(own, 'selling', null)), 'objects') : []
  const listed = (Array.isArray(list) ? list : []).find(
    (one) => hasTitle(one) && !known.includes(String(at(one, 'id'))),
  )
  const slug = shownSlug ?? shortText(at(listed, 'slug'))
  if (!slug) return null
  const product = await json(productRequest(slug))
  const id = at(product, 'id')
  if (!/^\d{1,20}$/.test(String(id)) || known.includes(String(id))) return null
  const isOwn = own !== null && String(at(product, 'user_id')) === own
  if (own !== null && at(product, 'user_id') !== undefined && !isOwn) return null
  // Only the seller's own reading says how old it is.
  const made = isOwn ? Date.parse(String(at(await json(ownProductRequest(slug)), 'created_at'))) : Number.NaN
  if (made < since - skewMs) return null
  const isNew = shownSlug !== null || !Number.isNaN(made)
  return {
    listing_id: String(id),
    listing_url: productUrl(slug),
    sure: isNew && hasTitle(product) && isOwn && at(product, 'status') === 'STATUS_ONSALE',
  }
}

/** Returns the account id in the page context's account text, or null. */
function accountOfText(account: string | null): string | null {
  const id = at(parseJson(account ?? ''), 'id')
  return /^\d{1,20}$/.test(String(id)) ? String(id) : null
}

/** Returns the slug of a product page or its edit form, or null. */
function slugIn(url: string): string | null {
  const path = URL.parse(url)?.pathname ?? ''
  const slug = /^\/(?:[a-z]{2}\/)?products\/(?:edit\/)?([^/]+)\/(?:manage\/|edit\/)?$/.exec(path)?.[1]
  return slug && slug !== 'create' ? slug : null
}
