import { z } from 'zod'
import { PlatformError } from '../errors.ts'
import type { ShopAccess } from '../port.ts'
import type { Etsy } from './client.ts'
import { idOf } from './pages.ts'
import { ListingsAnswer } from './wire.ts'

/** Most listings of one batch. */
const batchSize = 100

/** So many failed calls for one page mean that Etsy is out of order, not single listings. */
const failureLimit = 20

const WithInventory = z.looseObject({ inventory: z.unknown().optional() })

/**
 * Returns listings with their inventories, which Etsy gives apart: `includes=Inventory` was taken out of the listing calls
 * on 2026-07-29. One listing that is gone turns a batch into a 404, so a refused batch is halved until the rest is had.
 */
export async function withInventories(etsy: Etsy, access: ShopAccess, listings: unknown[]): Promise<unknown[]> {
  const found = new Map<string, unknown>()
  let failures = 0

  async function read(ids: string[]): Promise<void> {
    if (ids.length === 0) return
    try {
      const { results } = await etsy(
        {
          call: 'some inventories',
          path: '/listings/batch/inventory',
          query: { listing_ids: ids },
          accessToken: access.accessToken,
          signal: access.signal,
        },
        ListingsAnswer,
      )
      for (const raw of results) found.set(idOf(raw) ?? '', WithInventory.safeParse(raw).data?.inventory)
    } catch (error) {
      if (!(error instanceof PlatformError) || !concernsSome(error) || ++failures > failureLimit) throw error
      // Gone since its page was read: it is known without its inventory.
      if (ids.length === 1) return
      const middle = Math.ceil(ids.length / 2)
      await read(ids.slice(0, middle))
      await read(ids.slice(middle))
    }
  }

  const wanted = listings.flatMap((raw) => {
    const id = idOf(raw)
    return id === null || WithInventory.safeParse(raw).data?.inventory ? [] : [id]
  })
  for (let from = 0; from < wanted.length; from += batchSize) await read(wanted.slice(from, from + batchSize))
  return listings.map((raw) => {
    const inventory = found.get(idOf(raw) ?? '')
    return inventory && typeof raw === 'object' ? { ...raw, inventory } : raw
  })
}

function concernsSome(error: PlatformError): boolean {
  return error.failure === 'not_found' || /^http_5\d\d$/.test(error.platformCode ?? '')
}
