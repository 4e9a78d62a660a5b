import { html, notFound, redirect, type SandboxRequest, type SandboxResponse } from '../kit/http.ts'
import { unitsLeft } from './listing.ts'
import type { EtsyMarket } from './market.ts'
import { receiptPage, refusalPage } from './pages.ts'
import type { SandboxReceipt } from './receipt.ts'

export interface CheckoutOptions {
  market: EtsyMarket
  /** Runs after a purchase or a cancellation on the pages. */
  onChange(event: 'order.paid' | 'order.canceled', receipt: SandboxReceipt): void
}

/** Creates the pages on which a buyer buys a listing and cancels an order. Returns null for other requests. */
export function createCheckout({
  market,
  onChange,
}: CheckoutOptions): (request: SandboxRequest) => SandboxResponse | null {
  function buy(listingId: number): SandboxResponse {
    const found = market.find(listingId)
    if (!found) return notFound
    if (found.listing.state !== 'active' || unitsLeft(found.listing) < 1) {
      return html(refusalPage('This listing is no longer for sale.'), 409)
    }
    const receipt = market.buy(listingId)
    onChange('order.paid', receipt)
    return redirect(`/order/${receipt.receiptId}`)
  }

  function cancel(receiptId: number): SandboxResponse {
    const receipt = market.receipt(receiptId)
    if (!receipt) return notFound
    if (receipt.status !== 'Canceled') onChange('order.canceled', market.cancel(receiptId))
    return redirect(`/order/${receipt.receiptId}`)
  }

  return ({ method, path }) => {
    const [, kind, id = '', action] = path.split('/')
    if (method === 'POST' && kind === 'listing' && action === 'buy') return buy(Number(id))
    if (kind !== 'order') return null
    if (method === 'POST' && action === 'cancel') return cancel(Number(id))
    const receipt = method === 'GET' && action === undefined ? market.receipt(Number(id)) : undefined
    return receipt ? html(receiptPage(receipt, market.shop(receipt.shopId)!)) : notFound
  }
}
