import { z } from 'zod'
import { PlatformError } from '#server/integrations/errors.ts'
import type { ShopAccess } from '#server/integrations/port.ts'
import type { Etsy } from '../client.ts'
import { ListingsAnswer } from '../wire.ts'
import { idOf } from './pages.ts'
import { mayConcernOneListing } from './read-individually.ts'

/** Etsy's maximum. */
const batchSize = 100

/** After this many failed calls for one page, Etsy is down and the fault is not that of single listings. */
const failureLimit = 20

const WithInventory = z.looseObject({ inventory: z.unknown().optional() })

/**
 * Returns listings with their inventories, which need calls of their own since Etsy removed `includes=Inventory` on
 * 2026-07-29. A single deleted listing turns a batch into a 404, so a refused batch is halved until the rest is read.
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
      if (!(error instanceof PlatformError) || !mayConcernOneListing(error) || ++failures > failureLimit) throw error
      // The listing was deleted after its page was read, so it stays without an inventory.
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
