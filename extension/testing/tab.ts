import type { PageHandlers } from '#extension/background/handlers/answer.ts'
import type { PageView } from '#extension/messaging/page-view.ts'
import type { PageAnswer, PageContext, PageRequest, ScrapePlatform } from '#extension/platforms/port.ts'
import { poshmark } from '#extension/platforms/poshmark/index.ts'

const version = '2026.41.02'

/** Creates the n-th sample post (n from 0) in Poshmark's format. */
export function tabPost(n: number, changes: object = {}) {
  return {
    id: n.toString(16).padStart(24, '0'),
    title: `Thing ${n}`,
    description: `About thing ${n}`,
    price_amount: { val: `${n + 5}.0`, currency_code: 'USD' },
    inventory: { status: 'available' },
    cover_shot: { url_large: `https://pictures.test/${n}` },
    pictures: [],
    creator_username: 'seller',
    ...changes,
  }
}

/** Creates a tab on the seller's own closet of `posts`, with `pageSize` posts per page. */
export function buildTab(posts: object[], pageSize = 48, tab = 1) {
  const pageContext: PageContext = {
    url: 'https://poshmark.com/closet/seller',
    cookies: { ui: encodeURIComponent(JSON.stringify({ uid: 'u1', dh: 'seller' })) },
    texts: { listings_count: String(posts.length) },
  }
  const platform: ScrapePlatform = poshmark
  return {
    pageContext,
    posts,
    page: { platform, tab },
    /** Members that replace those of the site's next answers, in order. */
    odd: [] as Partial<PageAnswer>[],
    fetched: [] as PageRequest[],
    fetch(request: PageRequest): PageAnswer {
      this.fetched.push(request)
      const text = siteText(posts, pageSize, request)
      const answer = { url: request.url, status: text === null ? 404 : 200, text: text ?? '{}' }
      return { ...answer, ...this.odd.shift() }
    },
    /** Performs fetch tasks like the content script until none is left. Returns the last view. */
    async readOn(handlers: PageHandlers, first: PageView, steps = Number.POSITIVE_INFINITY): Promise<PageView> {
      let view = first
      for (let step = 0; view.task && step < steps; step++) {
        const { scrape_id, step: number, request } = view.task
        const answer = this.fetch(request)
        view = await handlers['page.answer'](
          { pageContext: this.pageContext, scrape_id, step: number, answer },
          this.page,
        )
      }
      return view
    },
  }
}

/** Returns the site's answer, or null for an unknown listing. */
function siteText(posts: object[], pageSize: number, request: PageRequest): string | null {
  const url = new URL(request.url)
  const asked = JSON.parse(url.searchParams.get('request') ?? '{}')
  const start: number = asked.max_id ?? 0
  const end = start + pageSize
  const status = asked.filters?.inventory_status[0] ?? url.searchParams.get('availability')
  const all = posts.filter((post) => (Reflect.get(post, 'inventory')?.status ?? 'available') === status)
  const hasMore = end < all.length
  const next = hasMore ? { next_max_id: end } : {}
  const more = { ...next, is_next_max_id_present: hasMore, total: all.length }
  const list = { data: all.slice(start, end), more }
  const detail = /^\/vm-rest\/posts\/(\w+)$/.exec(url.pathname)?.[1]
  const post = posts.find((one) => Reflect.get(one, 'id') === detail)
  if (detail) return post ? JSON.stringify({ data: post }) : null
  if (request.accept === 'json') return JSON.stringify(list)
  const state = {
    pm_version: version,
    $_closet: { closetUserInfo: { data: { username: 'seller' } }, listingsPostData: list },
  }
  return `<script>window.__INITIAL_STATE__=${JSON.stringify(state)};(function(){}());</script>`
}
