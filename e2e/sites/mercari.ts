import type { IncomingMessage } from 'node:http'
import type { FormModel } from './forms/form-kit.ts'
import type { MercariFormOptions, MercariTestIds } from './forms/mercari-form.ts'
import { type SiteReply, serveSite } from './https-site.ts'
import {
  buildItem,
  buildSeller,
  escapeHtml,
  type Item,
  itemElements,
  itemState,
  listEntry,
  pageWithState,
  pictureHost,
  type Seller,
} from './mercari-data.ts'
import { answerSelling } from './mercari-selling.ts'
import { pictureAt } from './picture.ts'
import { createRequestGate, type RequestGate } from './request-gate.ts'

interface MercariOptions {
  /** Items of the signed-in seller: on sale, in progress and sold. */
  listings?: { on_sale: number; trading: number; sold_out: number }
}

/** How the site misbehaves; null: not at all. */
type SiteFault = 'challenge' | 'slow_down' | 'down' | null

/**
 * A local stand-in for www.mercari.com: pages that draw the seller's lists from the JSON API, item pages with embedded
 * state, tokens from `/v1/initialize`. Its hosts are mapped into every test browser.
 */
export interface MercariSite {
  seller: Seller
  other: Seller
  items: Item[]
  /** False: signed out; the next page clears the cookies. */
  signedIn: boolean
  fault: SiteFault
  /** Hash by which the API knows the list's query. */
  hash: string
  /** Hash that the site's pages use; a different one imitates an older build. */
  pageHash: string
  /** False: blocked, as in many browsers, so storage does not contain the user's number. */
  statistics: boolean
  /** False: item pages have no embedded state, as after a redesign. */
  showsState: boolean
  /** Ids of items whose list entry lacks description and further pictures. */
  summarised: Set<string>
  /** How the sell form is drawn; testIds null: as known. */
  form: { testIds: MercariTestIds | null } & Omit<MercariFormOptions, 'id' | 'testIds'>
  /** Items that sellers listed by the form. */
  made: { id: string; model: FormModel }[]
  /** True: deleted items stay, as on a slow or failing site. */
  keepsDeleted: boolean
  /** Changes the page that ends a listing, as a release of the site does. */
  changesEdit: (html: string) => string
  hits: { initialize: number; lists: number; items: number; pages: number }
  /** Cookies and tokens, which must never reach another server. */
  secrets: string[]
  /** Gate of the item pages. */
  itemPages: RequestGate
  close(): Promise<void>
}

const host = 'www.mercari.com'
const pageSize = 20
const firstHash = 'ab'.repeat(32)
const session = 'made-up-session-9b2e'
const guest = { access: 'made-up-guest-access', csrf: 'made-up-guest-csrf' }
const user = { access: 'made-up-user-access-77c1', csrf: 'made-up-user-csrf-0d4a' }

export async function startMercari(options: MercariOptions = {}): Promise<MercariSite> {
  const seller = buildSeller(910_000_017)
  const other = buildSeller(920_000_023)
  const counts = options.listings ?? { on_sale: 45, trading: 2, sold_out: 23 }
  const statuses = (['on_sale', 'trading', 'sold_out'] as const).flatMap((status) => Array(counts[status]).fill(status))
  const items = [
    ...statuses.map((status, n) => buildItem(seller, n, { status, photos: 1 + (n % 4) })),
    ...Array.from({ length: 5 }, (_, n) => buildItem(other, n)),
  ]
  const site: MercariSite = {
    seller,
    other,
    items,
    signedIn: true,
    fault: null,
    hash: firstHash,
    pageHash: firstHash,
    statistics: true,
    showsState: true,
    summarised: new Set(items.filter((_, n) => n % 3 === 0).map((item) => item.id)),
    form: { testIds: null, ids: 'on_fields', chooser: 'dialog', smart: false },
    made: [],
    keepsDeleted: false,
    changesEdit: (html) => html,
    hits: { initialize: 0, lists: 0, items: 0, pages: 0 },
    secrets: [session, ...Object.values(guest), ...Object.values(user)],
    itemPages: createRequestGate('pages of items of Mercari'),
    close: () => close(),
  }
  const close = await serveSite([host, pictureHost], async (url, request) => {
    if (url.pathname.startsWith('/us/item/')) await site.itemPages.pass()
    const selling = await answerSelling(site, url, request)
    return selling ? { headers: { 'set-cookie': cookies(site) }, ...selling } : answer(site, url, request)
  })
  return site
}

function answer(site: MercariSite, url: URL, request: IncomingMessage): SiteReply | Promise<SiteReply> {
  if (url.hostname === pictureHost) return pictureAt(url)
  if (site.fault === 'down') return { status: 503, type: 'text/plain', body: 'Service Unavailable' }
  const isData = url.pathname.startsWith('/v1/') || url.pathname.startsWith('/us/item/')
  if (site.fault === 'slow_down' && isData) return { status: 429, type: 'text/plain', body: 'Too Many Requests' }
  if (site.fault === 'challenge' && isData) return { status: 403, body: '<html><div id="px-captcha"></div></html>' }
  const knows = site.signedIn && Boolean(request.headers.cookie?.includes(`_session=${session}`))
  if (url.pathname === '/v1/initialize') return initialize(site, knows)
  if (url.pathname === '/v1/api') return api(site, url.searchParams, request)

  const headers = { 'set-cookie': cookies(site) }
  const list = /^\/mypage\/listings\/(active|in_progress|complete|inactive)\/$/.exec(url.pathname)?.[1]
  if (list && !site.signedIn) return { status: 302, headers: { ...headers, location: '/login/' }, body: '' }
  if (list) return { headers, body: listPage(site, site.seller, statusOf(list)) }
  const profile = /^\/u\/(\d+)\/$/.exec(url.pathname)?.[1]
  const shown = [site.seller, site.other].find((seller) => String(seller.id) === profile)
  if (shown) return { headers, body: listPage(site, shown, 'on_sale') }
  const id = /^\/us\/item\/(m\d+)\/$/.exec(url.pathname)?.[1]
  if (id) return itemPage(site, id, headers)
  if (url.pathname === '/') return { headers, body: plainPage('Mercari', '<h1>Mercari</h1>') }
  if (url.pathname === '/login/') return { headers, body: plainPage('Sign in', '<h1>Sign in</h1>') }
  return { status: 404, headers, body: plainPage('Not found', '<h1>Not found</h1>') }
}

function initialize(site: MercariSite, knows: boolean): SiteReply {
  site.hits.initialize++
  const { access, csrf } = knows ? user : guest
  return json({ csrf, accessToken: access, isBot: false })
}

function api(site: MercariSite, query: URLSearchParams, request: IncomingMessage): SiteReply {
  site.hits.lists++
  const bearer = request.headers.authorization
  const tokens = [user, guest].find((one) => bearer === `Bearer ${one.access}`)
  if (!tokens || request.headers['x-csrf-token'] !== tokens.csrf) return { ...json({ error: 'token' }), status: 401 }
  const hash = JSON.parse(query.get('extensions') ?? '{}').persistedQuery?.sha256Hash
  if (query.get('operationName') !== 'userItemsQuery' || hash !== site.hash) {
    return json({ errors: [{ message: 'PersistedQueryNotFound', extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } }] })
  }
  const input = JSON.parse(query.get('variables') ?? '{}').userItemsInput as {
    sellerId: number
    status: Item['status']
    page: number
  }
  // Items in progress and sold are visible to their seller only.
  if (input.status !== 'on_sale' && (tokens !== user || input.sellerId !== site.seller.id)) {
    return json({ errors: [{ message: 'Unauthorized', extensions: { code: 'UNAUTHENTICATED' } }] })
  }
  const all = site.items.filter((item) => item.seller.id === input.sellerId && item.status === input.status)
  const start = (input.page - 1) * pageSize
  const items = all.slice(start, start + pageSize).map((item) => listEntry(item, site.summarised.has(item.id)))
  return json({ data: { userItems: { items, totalCount: all.length, hasMore: start + pageSize < all.length } } })
}

function itemPage(site: MercariSite, id: string, headers: Record<string, string[]>): SiteReply {
  site.hits.items++
  const item = site.items.find((one) => one.id === id)
  if (!item) return { status: 404, headers, body: plainPage('Not found', '<h1>Not found</h1>') }
  const elements = itemElements(item, item.seller === site.seller && site.signedIn)
  return {
    headers,
    body: site.showsState ? pageWithState(item.name, itemState(item), elements) : plainPage(item.name, elements),
  }
}

/** Returns a seller's items page, drawn by its own script as on the site. */
function listPage(site: MercariSite, seller: Seller, status: Item['status']): string {
  site.hits.pages++
  const variables = {
    userItemsInput: {
      sellerId: seller.id,
      status,
      keyword: '',
      sortBy: 'created',
      sortType: 'desc',
      page: 1,
      includeTotalCount: true,
    },
  }
  const query = new URLSearchParams({
    operationName: 'userItemsQuery',
    variables: JSON.stringify(variables),
    extensions: JSON.stringify({ persistedQuery: { version: 1, sha256Hash: site.pageHash } }),
  })
  const script = `
    ${site.statistics && site.signedIn ? `localStorage.setItem('ab.storage.userId.sample', JSON.stringify({ v: 'g:${site.seller.id}|e:undefined|c:1|l:2' }))` : ''}
    const tokens = await (await fetch('/v1/initialize')).json()
    const answer = await fetch('/v1/api?${query}', {
      headers: { authorization: 'Bearer ' + tokens.accessToken, 'x-csrf-token': tokens.csrf, 'apollo-require-preflight': 'true' },
    })
    const { items } = (await answer.json()).data?.userItems ?? { items: [] }
    for (const { id, name } of items) {
      const link = document.createElement('a')
      link.href = '/us/item/' + id + '/'
      link.textContent = name
      document.querySelector('[data-testid=Listings]').append(link)
    }
    document.body.dataset.drawn = 'true'`
  return plainPage(
    'My listings',
    `<main><h1>My listings</h1><div data-testid="Listings"></div></main><script type="module">${script}</script>`,
  )
}

function statusOf(list: string): Item['status'] {
  return list === 'in_progress' ? 'trading' : list === 'complete' ? 'sold_out' : 'on_sale'
}

function cookies(site: MercariSite): string[] {
  const [value, age] = site.signedIn ? [session, 3_600] : ['', 0]
  return [`_session=${value}; Path=/; Secure; HttpOnly; Max-Age=${age}`]
}

function json(body: unknown): SiteReply {
  return { type: 'application/json; charset=utf-8', body: JSON.stringify(body) }
}

function plainPage(title: string, body: string): string {
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escapeHtml(title)} | Mercari</title><style>body{font:14px system-ui;margin:32px}a{display:block}</style></head><body>${body}</body></html>`
}
