import type { PageHandlers, PageSender } from '#extension/background/handlers/answer.ts'
import type { PageView } from '#extension/messaging/page-view.ts'
import type { PageAnswer, PageRequest } from '#extension/platforms/port.ts'
import { type ShopOptions, shopFixtures } from './shop-fixtures.ts'

/** Layers of a stand's site that hold one listing by itself. */
const singles = new Set(['post', 'listing page', 'item page', 'product', 'product page'])

/** A tab at the own shop of a made-up seller, whose shop changes as the test says. */
export function buildShopTab(slug: keyof typeof shopFixtures, options: ShopOptions) {
  let fixture = shopFixtures[slug](options)
  const page: PageSender = { platform: fixture.platform, tab: 1 }
  return {
    page,
    pageContext: fixture.own,
    truth: fixture.truth,
    /** Listings that are asked for by themselves are not there, as those that were deleted or hidden. */
    hidden: false,
    fetched: [] as PageRequest[],
    /** Addresses of listings that were asked for by themselves. */
    single(): string[] {
      return this.fetched.filter((request) => singles.has(fixture.layerOf(request))).map(({ url }) => url)
    },
    /** The same shop with so many of its listings for sale; the others are sold, as many as there are `now`. */
    forSale(listings: number, now = fixture.truth.length) {
      fixture = shopFixtures[slug]({ listings, sold: now - listings })
      this.truth = fixture.truth
    },
    fetch(request: PageRequest): PageAnswer {
      this.fetched.push(request)
      const plain = { url: request.url, status: 200, text: '' }
      if (this.hidden && singles.has(fixture.layerOf(request))) return { ...plain, status: 404, text: '{}' }
      const answer = fixture.answer(request)
      return {
        ...plain,
        ...(typeof answer === 'string' ? { text: answer } : answer),
      }
    },
    /** Looks or imports, and does what comes of it as the content script does; returns what the page then shows. */
    async go(handlers: PageHandlers, name: 'page.look' | 'page.import', pageContext = fixture.own): Promise<PageView> {
      let view = await handlers[name]({ pageContext }, page)
      while (view.task) {
        const { scrape_id, step, request } = view.task
        view = await handlers['page.answer']({ pageContext, scrape_id, step, answer: this.fetch(request) }, page)
      }
      return view
    },
  }
}
