import type { PageHandlers, PageSender } from '#extension/background/handlers/answer.ts'
import type { PageView } from '#extension/messaging/page-view.ts'
import type { PageAnswer, PageRequest } from '#extension/platforms/port.ts'
import { type ShopOptions, shopFixtures } from './shop-fixtures.ts'

/** Answers of a fixture that contain a single listing. */
const singles = new Set(['post', 'listing page', 'item page', 'product', 'product page'])

/** Creates a tab on the own shop of a generated seller. Tests change the shop. */
export function buildShopTab(slug: keyof typeof shopFixtures, options: ShopOptions) {
  let fixture = shopFixtures[slug](options)
  const page: PageSender = { platform: fixture.platform, tab: 1 }
  return {
    page,
    pageContext: fixture.own,
    truth: fixture.truth,
    /** Answers 404 to detail requests, as for deleted or hidden listings. */
    hidden: false,
    fetched: [] as PageRequest[],
    /** Returns the URLs of the detail requests. */
    single(): string[] {
      return this.fetched.filter((request) => singles.has(fixture.layerOf(request))).map(({ url }) => url)
    },
    /** Keeps the first `listings` for sale. The others, up to `now`, are sold. */
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
    /** Sends a request and performs the tasks that result, like the content script. Returns the last view. */
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
