import { html, notFound, redirect, type SandboxRequest, type SandboxResponse } from '../kit/http.ts'
import { printAmount, type SandboxSeller, unitsLeft } from './item.ts'
import type { EbayMarket } from './market.ts'
import type { SandboxOrder } from './orders.ts'
import { orderPage, refusalPage } from './pages.ts'

export interface CheckoutOptions {
  market: EbayMarket
  /** Runs after a purchase on the pages. */
  onOrder(order: SandboxOrder, seller: SandboxSeller): void
}

/**
 * Creates the pages on which a buyer buys a listing and cancels an order, and a seller buys its label, or starts and ends
 * a sale event. Returns null for other requests.
 */
export function createCheckout({
  market,
  onOrder,
}: CheckoutOptions): (request: SandboxRequest) => SandboxResponse | null {
  /** Buys a unit of a listing, and of other listings of the seller in the same order. */
  function buy(itemId: string, also: string[]): SandboxResponse {
    const found = market.find(itemId)
    const others = also.map((id) => market.find(id))
    if (!found || others.some((other) => other?.seller !== found.seller)) return notFound
    if ([found, ...others].some((one) => one?.item.status !== 'Active' || unitsLeft(one.item) < 1)) {
      return html(refusalPage('This listing is no longer for sale.', 'Not for sale'), 409)
    }
    const order = market.buy(itemId, { also })
    onOrder(order, market.seller(found.seller)!)
    return redirect(`/order/${order.orderId}`)
  }

  /** Starts a sale event of a week with 30 % off, or ends the listing's event. */
  function changeSale(itemId: string): SandboxResponse {
    const { item } = market.find(itemId) ?? {}
    if (!item) return notFound
    const [startsAt, endsAt] = [0, 7 * 86_400_000].map((ms) => new Date(Date.now() + ms).toISOString())
    const price = printAmount(Math.round(Number(item.price) * 70))
    market.change(itemId, { sale: item.sale ? undefined : { price, startsAt: startsAt!, endsAt: endsAt! } })
    return redirect(`/itm/${itemId}`)
  }

  function cancel(orderId: string): SandboxResponse {
    const order = market.order(orderId)
    if (!order) return notFound
    if (order.cancel !== 'CANCELED') market.cancelOrder(orderId)
    return redirect(`/order/${orderId}`)
  }

  function takeBack(orderId: string): SandboxResponse {
    const order = market.order(orderId)
    if (!order) return notFound
    if (order.payment === 'PAID' && order.fulfillment === 'FULFILLED') market.returnOrder(orderId)
    return redirect(`/order/${orderId}`)
  }

  /** Turns the seller's preference "Automatically relist canceled items" on or off. */
  function turnRelisting(username: string): SandboxResponse {
    const seller = market.seller(username)
    if (!seller) return notFound
    market.setRelisting(username, seller.relistsCanceled === false)
    return redirect(`/usr/${encodeURIComponent(username)}`)
  }

  /** Ships an order as with a label bought at eBay, whose number eBay enters itself. */
  function ship(orderId: string): SandboxResponse {
    const order = market.order(orderId)
    if (!order) return notFound
    const tracking = `94001${orderId.replace(/\D/g, '').padStart(17, '0')}`
    const shippedAt = new Date().toISOString()
    const lines = order.lines.map(({ lineItemId, quantity }) => ({ lineItemId, quantity }))
    const parcel = { fulfillmentId: tracking, carrier: 'USPS', tracking, lines, shippedAt }
    if (order.fulfillment !== 'FULFILLED') market.changeOrder(orderId, { parcels: [parcel], fulfillment: 'FULFILLED' })
    return redirect(`/order/${orderId}`)
  }

  return ({ method, path, body }) => {
    const [, kind, id = '', action] = path.split('/')
    if (method === 'POST' && kind === 'itm' && action === 'buy')
      return buy(id, new URLSearchParams(body).getAll('also'))
    if (method === 'POST' && kind === 'itm' && action === 'sale') return changeSale(id)
    if (method === 'POST' && kind === 'usr' && action === 'relisting') return turnRelisting(decodeURIComponent(id))
    if (kind !== 'order') return null
    if (method === 'POST' && action === 'cancel') return cancel(id)
    if (method === 'POST' && action === 'ship') return ship(id)
    if (method === 'POST' && action === 'return') return takeBack(id)
    const order = method === 'GET' && action === undefined ? market.order(id) : undefined
    return order ? html(orderPage(order)) : notFound
  }
}
