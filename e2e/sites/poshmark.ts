import type { IncomingMessage } from 'node:http'
import type { FormModel } from './forms/form-kit.ts'
import { type SiteReply, serveSite } from './https-site.ts'
import { pictureAt } from './picture.ts'
import { asSeenBy, buildCloset, type Closet, type Post, pictureHost, sell } from './poshmark-data.ts'
import { answerSelling, type Made } from './poshmark-selling.ts'
import { createRequestGate, type RequestGate } from './request-gate.ts'

interface PoshmarkOptions {
  /** The signed-in seller, and their closet's listings: for sale and sold. */
  username?: string
  listings?: number
  sold?: number
}

/** How the site misbehaves; null: not at all. */
type SiteFault = 'challenge' | 'slow_down' | 'down' | null

/**
 * A local stand-in for poshmark.com: closet pages with embedded state, paged JSON, single posts, cookies. Its hosts
 * are mapped into every test browser.
 */
export interface PoshmarkSite {
  closets: Map<string, Closet>
  /** The user whose cookies the next page sets; null: signed out. */
  signedInAs: string | null
  fault: SiteFault
  /** False: pages have no embedded state, as after a redesign. */
  showsState: boolean
  /** True: lists use another name for their cursor. */
  renamesPaging: boolean
  /** Posts of other closets that lists show among the first. */
  strangers: Post[]
  /** Posts whose list entry lacks these members (summaries). */
  summarised: Map<string, string[]>
  /** The sell form's recorded markup; null: ours. */
  recordedForm: string | null
  /** Smart Sell is on in the price dialog. */
  smartSell: boolean
  /** Listings that sellers published by the form, and drafts. */
  made: Made[]
  drafts: Map<string, FormModel>
  /** True: deleted listings stay, as on a slow or failing site. */
  keepsDeleted: boolean
  /** Requests so far. */
  hits: { pages: number; lists: number; details: number }
  /** Secret cookies, which must never reach another server. */
  secrets: string[]
  /** Gate of the JSON lists. */
  lists: RequestGate
  close(): Promise<void>
}

const pageSize = 48
const firstPage = 20
const version = '2026.41.02'

export async function startPoshmark(options: PoshmarkOptions = {}): Promise<PoshmarkSite> {
  const username = options.username ?? 'samplecloset'
  const forSale = options.listings ?? 120
  const own = buildCloset(username, forSale + (options.sold ?? 0), 1)
  own.posts.slice(forSale).forEach(sell)
  const site: PoshmarkSite = {
    closets: new Map([
      [username, own],
      ['othercloset', buildCloset('othercloset', 30, 2)],
    ]),
    signedInAs: username,
    fault: null,
    showsState: true,
    renamesPaging: false,
    strangers: [],
    summarised: new Map(),
    recordedForm: null,
    smartSell: false,
    made: [],
    drafts: new Map(),
    keepsDeleted: false,
    hits: { pages: 0, lists: 0, details: 0 },
    secrets: ['made-up-jwt-3c1f', 'made-up-csrf-77aa'],
    lists: createRequestGate('JSON lists of Poshmark'),
    close: () => close(),
  }
  const close = await serveSite(['poshmark.com', pictureHost], async (url, request) => {
    if (url.pathname.endsWith('/posts/filtered')) await site.lists.pass()
    const selling = await answerSelling(site, url, request)
    return selling ? { headers: { 'set-cookie': cookies(site) }, ...selling } : answer(site, url, request)
  })
  return site
}

function answer(site: PoshmarkSite, url: URL, request: IncomingMessage): SiteReply | Promise<SiteReply> {
  if (url.hostname === pictureHost) {
    const posts = [...site.closets.values()].flatMap((closet) => closet.posts)
    return pictureAt(url, posts.find(({ id }) => url.pathname.includes(id))?.title)
  }
  const isPage = !url.pathname.startsWith('/vm-rest/')
  if (site.fault === 'down') return { status: 503, type: 'text/plain', body: 'Service Unavailable' }
  if (site.fault === 'slow_down' && !isPage) return { status: 429, type: 'text/plain', body: 'Too Many Requests' }
  if (site.fault === 'challenge' && !isPage) return { status: 403, body: '<html><div id="px-captcha"></div></html>' }

  const closetName = /^\/closet\/([^/]+)$/.exec(url.pathname)?.[1]
  if (closetName) {
    return closetPage(site, decodeURIComponent(closetName), url.searchParams.get('availability') ?? 'available')
  }
  if (url.pathname === '/feed') return { headers: { 'set-cookie': cookies(site) }, body: page('Feed', '<h1>Feed</h1>') }
  if (isPage) {
    return { status: 404, headers: { 'set-cookie': cookies(site) }, body: page('Not found', '<h1>Page not found</h1>') }
  }

  if (!request.headers.cookie?.includes(`jwt=${site.secrets[0]}`) || !site.signedInAs) {
    return json({ error: { errorType: 'UnauthorizedError', userMessage: 'Please log in', statusCode: 401 } })
  }
  const listOf = /^\/vm-rest\/users\/([^/]+)\/posts\/filtered$/.exec(url.pathname)?.[1]
  if (listOf) return listPosts(site, decodeURIComponent(listOf), url.searchParams)
  const postId = /^\/vm-rest\/posts\/([0-9a-f]{24})$/.exec(url.pathname)?.[1]
  if (postId) return onePost(site, postId)
  return json({ error: { errorType: 'NotFoundError', userMessage: 'Not found', statusCode: 404 } })
}

function closetPage(site: PoshmarkSite, username: string, status: string): SiteReply {
  site.hits.pages++
  const closet = site.closets.get(username)
  if (!closet) return { status: 404, body: page('Not found', '<h1>Page not found</h1>') }
  const own = site.signedInAs === username
  const shown = postsOf(closet, status).slice(0, firstPage)
  const state = {
    $_config: { pm_version: version },
    $_closet: {
      closetUserInfo: { data: { id: closet.uid, username, full_name: 'Made Up' } },
      listingsPostData: {
        data: shown.map((post) => summary(site, post, own)),
        more: moreAfter(site, closet, status, firstPage),
      },
    },
  }
  const tiles = shown
    .map(
      (post) =>
        `<div class="tile"><a data-et-name="listing" data-et-prop-listing_id="${post.id}" href="/listing/x-${post.id}"><img class="tile__covershot" alt="" src="https://${pictureHost}/t/${post.id}"><span class="tile__title">${escapeHtml(post.title)}</span></a></div>`,
    )
    .join('')
  const header = `<h1>@${escapeHtml(username)}</h1><p><strong data-test="closet_listings_count">${postsOf(closet, 'available').length.toLocaleString('en-US')}</strong> Listings</p>`
  // The site's own script removes itself, so the extension cannot find it in the elements.
  const script = site.showsState
    ? `<script>window.__INITIAL_STATE__=${JSON.stringify(state).replace(/</g, '\\u003C')};(function(){var s;(s=document.currentScript||document.scripts[document.scripts.length-1]).parentNode.removeChild(s);}());</script>`
    : ''
  return {
    headers: { 'set-cookie': cookies(site) },
    body: page(`${username}'s Closet`, `<header>${header}</header><main>${tiles}</main>${script}`),
  }
}

function listPosts(site: PoshmarkSite, username: string, query: URLSearchParams): SiteReply {
  site.hits.lists++
  const closet = site.closets.get(username)
  const request = JSON.parse(query.get('request') ?? '{}') as {
    max_id?: number | string
    count?: number
    filters?: { inventory_status?: string[] }
  }
  const status = request.filters?.inventory_status?.[0] ?? 'all'
  if (!closet || query.get('pm_version') !== version) {
    return json({ error: { errorType: 'InvalidInputError', userMessage: 'Please update your app', statusCode: 400 } })
  }
  const start = request.max_id === undefined ? 0 : startOf(request.max_id)
  const count = Math.min(request.count ?? pageSize, pageSize)
  const strangers = start === 0 && status === 'available' ? site.strangers : []
  const posts = [...strangers, ...postsOf(closet, status).slice(start, start + count)]
  const own = site.signedInAs === username
  return json({
    data: posts.map((post) => summary(site, post, own)),
    more: moreAfter(site, closet, status, start + count),
  })
}

function onePost(site: PoshmarkSite, id: string): SiteReply {
  site.hits.details++
  for (const closet of site.closets.values()) {
    const post = closet.posts.find((one) => one.id === id)
    if (post) return json({ data: asSeenBy(post, site.signedInAs === closet.username) })
  }
  return { status: 404, type: 'application/json', body: '{}' }
}

/** Returns a closet's posts with this state; posts without one count as for sale. */
function postsOf(closet: Closet, status: string): Post[] {
  const statusOf = (post: Post) => (post.inventory as { status?: unknown } | undefined)?.status ?? 'available'
  return closet.posts.filter((post) => status === 'all' || statusOf(post) === status)
}

/** Returns a cursor like the site's: a time with fractions. The end is a flag beside the total. */
function moreAfter(site: PoshmarkSite, closet: Closet, status: string, position: number): Record<string, unknown> {
  const total = postsOf(closet, status).length
  if (position >= total) return { is_next_max_id_present: false, total }
  if (site.renamesPaging) return { next_id: 1_700_000_000.25 + position }
  return { next_max_id: 1_700_000_000.25 + position, is_next_max_id_present: true, total }
}

function startOf(maxId: number | string): number {
  return Number(maxId) - 1_700_000_000.25
}

function summary(site: PoshmarkSite, post: Post, own: boolean): Post {
  const left = site.summarised.get(post.id) ?? []
  return Object.fromEntries(Object.entries(asSeenBy(post, own)).filter(([name]) => !left.includes(name))) as Post
}

function cookies(site: PoshmarkSite): string[] {
  const closet = site.signedInAs ? site.closets.get(site.signedInAs) : undefined
  if (!closet) return ['jwt', 'ui', '_csrf'].map((name) => `${name}=; Path=/; Max-Age=0; Secure`)
  const ui = encodeURIComponent(
    JSON.stringify({ dh: closet.username, em: 'm***@example.test', uid: closet.uid, fn: 'Made%20Up' }),
  )
  return [
    `jwt=${site.secrets[0]}; Path=/; Secure; HttpOnly`,
    `_csrf=${site.secrets[1]}; Path=/; Secure`,
    `ui=${ui}; Path=/; Secure`,
  ]
}

function json(body: unknown): SiteReply {
  return { type: 'application/json; charset=utf-8', body: JSON.stringify(body) }
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escapeHtml(title)} - Poshmark</title><style>body{font:14px system-ui;margin:0}header{padding:24px 32px}main{display:grid;grid-template-columns:repeat(4,1fr);gap:16px;padding:0 32px}.tile img{width:100%;aspect-ratio:1;object-fit:cover}.tile__title{display:block}</style></head><body>${body}</body></html>`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)
}
