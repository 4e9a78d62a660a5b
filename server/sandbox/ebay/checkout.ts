import { type FakeAnswer, type FakeRequest, html, notFound } from '../kit/answer.ts'
import { type FakeSeller, unitsLeft } from './item.ts'
import type { FakeOrder } from './orders.ts'
import { orderPage, refusalPage } from './pages.ts'
import type { EbayWorld } from './world.ts'

export interface CheckoutOptions {
  world: EbayWorld
  /** Told of what was bought here. */
  onOrder(order: FakeOrder, seller: FakeSeller): void
}

/** What a buyer does on the pages: buys a listing, sees the order, cancels it. Null for other requests. */
export function createCheckout({ world, onOrder }: CheckoutOptions): (request: FakeRequest) => FakeAnswer | null {
  function buy(itemId: string): FakeAnswer {
    const found = world.find(itemId)
    if (!found) return notFound
    if (found.item.status !== 'Active' || unitsLeft(found.item) < 1) {
      return html(refusalPage('Nobody can buy it any more.', 'Not for sale'), 409)
    }
    const order = world.buy(itemId)
    onOrder(order, world.seller(found.seller)!)
    return seeOther(order.orderId)
  }

  function cancel(orderId: string): FakeAnswer {
    const order = world.order(orderId)
    if (!order) return notFound
    if (order.cancel !== 'CANCELED') world.cancelOrder(orderId)
    return seeOther(orderId)
  }

  return ({ method, path }) => {
    const [, kind, id = '', action] = path.split('/')
    if (method === 'POST' && kind === 'itm' && action === 'buy') return buy(id)
    if (kind !== 'order') return null
    if (method === 'POST' && action === 'cancel') return cancel(id)
    const order = method === 'GET' && action === undefined ? world.order(id) : undefined
    return order ? html(orderPage(order)) : notFound
  }
}

const seeOther = (orderId: string): FakeAnswer => ({ ...html('', 303), headers: { location: `/order/${orderId}` } })
