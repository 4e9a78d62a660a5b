import { type FakeAnswer, type FakeRequest, html, notFound } from '../kit/answer.ts'
import { unitsLeft } from './listing.ts'
import { receiptPage, refusalPage } from './pages.ts'
import type { FakeReceipt } from './receipt.ts'
import type { EtsyWorld } from './world.ts'

export interface CheckoutOptions {
  world: EtsyWorld
  /** Told of what was bought or cancelled here. */
  onChange(event: 'order.paid' | 'order.canceled', receipt: FakeReceipt): void
}

/** What a buyer does on the pages: buys a listing, sees the order, cancels it. Null for other requests. */
export function createCheckout({ world, onChange }: CheckoutOptions): (request: FakeRequest) => FakeAnswer | null {
  function buy(listingId: number): FakeAnswer {
    const found = world.find(listingId)
    if (!found) return notFound
    if (found.listing.state !== 'active' || unitsLeft(found.listing) < 1) {
      return html(refusalPage('Nobody can buy it any more.'), 409)
    }
    const receipt = world.buy(listingId)
    onChange('order.paid', receipt)
    return seeOther(receipt)
  }

  function cancel(receiptId: number): FakeAnswer {
    const receipt = world.receipt(receiptId)
    if (!receipt) return notFound
    if (receipt.status !== 'Canceled') onChange('order.canceled', world.cancel(receiptId))
    return seeOther(receipt)
  }

  return ({ method, path }) => {
    const [, kind, id = '', action] = path.split('/')
    if (method === 'POST' && kind === 'listing' && action === 'buy') return buy(Number(id))
    if (kind !== 'order') return null
    if (method === 'POST' && action === 'cancel') return cancel(Number(id))
    const receipt = method === 'GET' && action === undefined ? world.receipt(Number(id)) : undefined
    return receipt ? html(receiptPage(receipt, world.shop(receipt.shopId)!)) : notFound
  }
}

const seeOther = ({ receiptId }: FakeReceipt): FakeAnswer => ({
  ...html('', 303),
  headers: { location: `/order/${receiptId}` },
})
