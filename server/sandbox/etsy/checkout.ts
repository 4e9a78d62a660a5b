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

/**
 * Creates the pages on which a buyer buys a listing, and a seller cancels, ships or refunds an order, lets a listing
 * expire, or goes on vacation. Returns null for other requests.
 */
export function createCheckout({
  market,
  onChange,
}: CheckoutOptions): (request: SandboxRequest) => SandboxResponse | null {
  function buy(listingId: number): SandboxResponse {
    const found = market.find(listingId)
    if (!found) return notFound
    const isOnVacation = market.shop(found.shopId)?.isOnVacation === true
    if (found.listing.state !== 'active' || unitsLeft(found.listing) < 1 || isOnVacation) {
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

  /** Changes what Etsy sends no notice of. */
  function change(kind: string, id: string, action: string): SandboxResponse | null {
    if (kind === 'order' && market.receipt(Number(id)) && (action === 'ship' || action === 'refund')) {
      return redirect(`/order/${market[action](Number(id)).receiptId}`)
    }
    if (kind === 'listing' && action === 'expire' && market.find(Number(id))) {
      return redirect(`/listing/${market.expire(Number(id)).listingId}`)
    }
    const shop = kind === 'shop' && action === 'vacation' ? market.shopNamed(decodeURIComponent(id)) : undefined
    if (!shop) return null
    market.setVacation(shop.shopId, !shop.isOnVacation)
    return redirect(`/shop/${id}`)
  }

  return ({ method, path }) => {
    const [, kind = '', id = '', action] = path.split('/')
    if (method === 'POST' && kind === 'listing' && action === 'buy') return buy(Number(id))
    if (method === 'POST' && kind === 'order' && action === 'cancel') return cancel(Number(id))
    if (method === 'POST' && action !== undefined) return change(kind, id, action)
    if (kind !== 'order') return null
    const receipt = method === 'GET' && action === undefined ? market.receipt(Number(id)) : undefined
    return receipt ? html(receiptPage(receipt, market.shop(receipt.shopId)!)) : notFound
  }
}
