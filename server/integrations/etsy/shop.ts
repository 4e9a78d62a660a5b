import type { z } from 'zod'
import { createAnswerCache } from '../answer-cache.ts'
import { isFailure, PlatformError } from '../errors.ts'
import type { ListingPort, ShopAccess } from '../port.ts'
import type { Etsy } from './client.ts'
import { ShopAnswer } from './wire.ts'

/** Cache time in ms for checks before a publication. */
const maxAgeMs = 600_000

/** Reads a shop, or returns an answer that is cached for at most `maxAgeMs`. */
export type ReadShop = (access: ShopAccess, maxAgeMs: number) => Promise<z.infer<typeof ShopAnswer>>

/** Creates the cached reader of shops. */
export function createShopReader(etsy: Etsy): ReadShop {
  const cache = createAnswerCache()
  return (access, maxAgeMs) => {
    const path = `/shops/${encodeURIComponent(access.shop.external_id)}`
    const { accessToken, signal } = access
    return cache.read(path, maxAgeMs, () =>
      etsy({ accessToken, signal, call: 'the question about the shop', path }, ShopAnswer),
    )
  }
}

/** Reads whether a shop is on vacation. Its listings then stay active, and nobody can buy them. */
export async function readVacation(readShop: ReadShop, access: ShopAccess, maxAgeMs = 0): Promise<boolean> {
  return (await readShop(access, maxAgeMs)).is_vacation === true
}

const words =
  'The shop on Etsy is on vacation, so Etsy publishes and renews nothing in it. End the vacation on Etsy first.'

/** Returns a port that finds a vacation before a publication, and names it when it is why Etsy refused one. */
export function withVacation(port: ListingPort, readShop: ReadShop): ListingPort {
  return {
    ...port,

    async findings(access, request) {
      const isAway = await readVacation(readShop, access, maxAgeMs)
      const found = await port.findings(access, request)
      if (!isAway) return found
      return [{ field: 'shop', code: 'shop_on_vacation', message: words, blocking: true }, ...found]
    },

    async publish(access, request, beforeSend) {
      try {
        return await port.publish(access, request, beforeSend)
      } catch (error) {
        if (!isFailure(error, 'refused') || !(await readVacation(readShop, access).catch(() => false))) throw error
        const message = `${words} ${error.message}`
        throw new PlatformError('etsy', 'refused', message, { platformCode: 'vacation', cause: error })
      }
    },
  }
}
