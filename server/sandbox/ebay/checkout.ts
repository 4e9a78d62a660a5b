import { html, notFound, redirect, type SandboxRequest, type SandboxResponse } from '../kit/http.ts'
import { type SandboxSeller, unitsLeft } from './item.ts'
import type { EbayMarket } from './market.ts'
import type { SandboxOrder } from './orders.ts'
import { orderPage, refusalPage } from './pages.ts'

export interface CheckoutOptions {
  market: EbayMarket
  /** Runs after a purchase on the pages. */
  onOrder(order: SandboxOrder, seller: SandboxSeller): void
}

/** Creates the pages on which a buyer buys a listing and cancels an order. Returns null for other requests. */
export function createCheckout({
  market,
  onOrder,
}: CheckoutOptions): (request: SandboxRequest) => SandboxResponse | null {
  function buy(itemId: string): SandboxResponse {
    const found = market.find(itemId)
    if (!found) return notFound
    if (found.item.status !== 'Active' || unitsLeft(found.item) < 1) {
      return html(refusalPage('This listing is no longer for sale.', 'Not for sale'), 409)
    }
    const order = market.buy(itemId)
    onOrder(order, market.seller(found.seller)!)
    return redirect(`/order/${order.orderId}`)
  }

  function cancel(orderId: string): SandboxResponse {
    const order = market.order(orderId)
    if (!order) return notFound
    if (order.cancel !== 'CANCELED') market.cancelOrder(orderId)
    return redirect(`/order/${orderId}`)
  }

  return ({ method, path }) => {
    const [, kind, id = '', action] = path.split('/')
    if (method === 'POST' && kind === 'itm' && action === 'buy') return buy(id)
    if (kind !== 'order') return null
    if (method === 'POST' && action === 'cancel') return cancel(id)
    const order = method === 'GET' && action === undefined ? market.order(id) : undefined
    return order ? html(orderPage(order)) : notFound
  }
}
