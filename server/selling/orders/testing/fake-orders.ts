import { createFakeAdapter } from '#e2e/harness/fake-adapter.ts'
import type { OrderPort, PlatformAdapter, PlatformOrder, PlatformOrderLine } from '#server/integrations/port.ts'
import type { OAuthSlug } from '#shared/platforms.ts'

type OrderCall =
  | { kind: 'changed'; shop: string; modifiedSince: string; cursor: string | null }
  | { kind: 'one'; shop: string; external_order_id: string }

/** A platform's orders in memory, with faults. */
export interface FakeOrders {
  /** By shop (external id). */
  orders: Map<string, PlatformOrder[]>
  pageSize: number
  calls: OrderCall[]
  /** Answers the reading of orders again; empty by default. */
  again: NonNullable<OrderPort['readAgain']>
  /** Runs before an answer. It may wait, change the orders or throw what the platform would. */
  before: (call: OrderCall) => Promise<void> | void
  /** Adds or replaces an order of the shop. */
  put(shop: string, order: PlatformOrder): void
}

/** Creates an in-memory platform with readable orders. */
export function createFakeOrderPlatform(slug: OAuthSlug): { adapter: PlatformAdapter; fixture: FakeOrders } {
  const fixture: FakeOrders = {
    orders: new Map(),
    pageSize: 50,
    calls: [],
    again: async () => ({ orders: [], nextCursor: null }),
    before: () => {},
    put(shop, order) {
      const others = (fixture.orders.get(shop) ?? []).filter((one) => one.external_order_id !== order.external_order_id)
      fixture.orders.set(shop, [...others, order])
    },
  }
  const orders: OrderPort = {
    async readChanged({ shop }, { modifiedSince, cursor }) {
      const call = { kind: 'changed', shop: shop.external_id, modifiedSince, cursor } as const
      fixture.calls.push(call)
      await fixture.before(call)
      const changed = (fixture.orders.get(shop.external_id) ?? [])
        .filter(({ modified_at }) => modified_at >= modifiedSince)
        .sort((one, other) => (one.modified_at < other.modified_at ? -1 : 1))
      const from = Number(cursor ?? 0)
      const next = from + fixture.pageSize
      return { orders: changed.slice(from, next), nextCursor: next < changed.length ? String(next) : null }
    },
    readAgain: (access, request) => fixture.again(access, request),
    async readOrder({ shop }, external_order_id) {
      const call = { kind: 'one', shop: shop.external_id, external_order_id } as const
      fixture.calls.push(call)
      await fixture.before(call)
      return fixture.orders.get(shop.external_id)?.find((one) => one.external_order_id === external_order_id) ?? null
    },
  }
  return { adapter: { ...createFakeAdapter(slug), orders }, fixture }
}

/** Builds a paid order of one unit of one listing. */
export function buildOrder(
  given: Partial<Omit<PlatformOrder, 'lines'>> & { id: string; line?: Partial<PlatformOrderLine>; at?: Date },
): PlatformOrder {
  const { id, line, at, ...order } = given
  const time = (at ?? new Date()).toISOString()
  return {
    external_order_id: id,
    status: 'paid',
    ordered_at: time,
    modified_at: time,
    ...order,
    lines: [
      {
        external_line_id: `${id}-1`,
        listing_id: `listing-${id}`,
        sku: null,
        quantity: 1,
        price_minor: 2_500,
        currency: 'USD',
        cancelled: false,
        ...line,
      },
    ],
  }
}
