import type { PageHandlers, PageSender } from '#extension/background/handlers/answer.ts'
import type { PageView } from '#extension/messaging/page-view.ts'
import type { PageAnswer, PageRequest } from '#extension/platforms/port.ts'
import { type StandOptions, stands } from './shop-fixtures.ts'

/** Layers of a stand's site that hold one listing by itself. */
const singles = new Set(['post', 'listing page', 'item page', 'product', 'product page'])

/** A tab at the own shop of a made-up seller, whose shop changes as the test says. */
export function buildStandTab(slug: keyof typeof stands, options: StandOptions) {
  let stand = stands[slug](options)
  const page: PageSender = { platform: stand.platform, tab: 1 }
  return {
    page,
    clues: stand.own,
    truth: stand.truth,
    /** Listings that are asked for by themselves are not there, as those that were deleted or hidden. */
    hidden: false,
    fetched: [] as PageRequest[],
    /** Addresses of listings that were asked for by themselves. */
    single(): string[] {
      return this.fetched.filter((request) => singles.has(stand.layerOf(request))).map(({ url }) => url)
    },
    /** The same shop with so many of its listings for sale; the others are sold, as many as there are `now`. */
    forSale(listings: number, now = stand.truth.length) {
      stand = stands[slug]({ listings, sold: now - listings })
      this.truth = stand.truth
    },
    fetch(request: PageRequest): PageAnswer {
      this.fetched.push(request)
      const plain = { url: request.url, status: 200, text: '' }
      if (this.hidden && singles.has(stand.layerOf(request))) return { ...plain, status: 404, text: '{}' }
      const answer = stand.answer(request)
      return {
        ...plain,
        ...(typeof answer === 'string' ? { text: answer } : answer),
      }
    },
    /** Looks or imports, and does what comes of it as the content script does; returns what the page then shows. */
    async go(handlers: PageHandlers, name: 'page.look' | 'page.import', clues = stand.own): Promise<PageView> {
      let view = await handlers[name]({ clues }, page)
      while (view.task) {
        const { run_id, step, request } = view.task
        view = await handlers['page.answer']({ clues, run_id, step, answer: this.fetch(request) }, page)
      }
      return view
    },
  }
}
