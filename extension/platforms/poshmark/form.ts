import type { PageAnswer } from '../port.ts'
import { at, parseJson, shortText } from '../raw.ts'
import type { SellForm } from '../sell-form/form.ts'
import { down } from './down.ts'
import { findMade, parseSignedIn } from './find-made.ts'
import { origin, postDetail, site } from './pages.ts'

/** Poshmark's create-listing page. */
export const poshmarkForm: SellForm = {
  platform: 'poshmark',
  isForm: (url) => url.origin === origin && /^\/create-listing\/?$/.test(url.pathname),
  ready: 'input[data-vv-name="title"]',
  afterwards: 'fill.press.poshmark',
  findMade,
  site,
  down,
  stateRequest: ({ listing_id }) => postDetail(listing_id),
  statusOf,
  readState(answer) {
    const body = parseJson(answer.text)
    const status = statusOf(answer)
    if (status === 404) return 'down'
    const post = at(body, 'data') ?? body
    const state = at(post, 'inventory.status')
    if (status !== 200 || typeof state !== 'string') return null
    if (state === 'sold_out') return 'sold'
    if (state === 'available') return at(post, 'status') === 'draft' ? 'down' : 'up'
    // Unknown states say nothing, and reserved or upcoming listings may soon be for sale.
    return state === 'not_for_sale' || state === 'removed' ? 'down' : null
  },
  describe(answer) {
    const body = parseJson(answer.text)
    const post = at(body, 'data') ?? body
    const [seller, own] = [shortText(at(post, 'creator_username')), parseSignedIn()]
    return { title: shortText(at(post, 'title')) ?? null, own: seller && own ? seller === own : null }
  },
}

/** Returns the status of an answer. Errors come with HTTP 200 and their own status inside. */
function statusOf(answer: PageAnswer): number {
  const inside = answer.status === 200 ? at(parseJson(answer.text), 'error.statusCode') : null
  return typeof inside === 'number' ? inside : answer.status
}
