import { withShopAccess } from '#server/integrations/connections/with-shop-access.ts'
import type { Services } from '#server/services.ts'
import type { Shop } from './visit-due-shops.ts'

/** Reads the ids of all live listings of a shop, each with its beginning. Null where the platform does not offer that. */
export function readLive(
  services: Services,
  shop: Shop,
  signal?: AbortSignal,
): Promise<Map<string, string | null> | null> {
  return withShopAccess(
    services,
    shop,
    async (access, { imports }) => {
      if (!imports.readLiveIds) return null
      const live = new Map<string, string | null>()
      for (let cursor: string | null = null; ; ) {
        const page = await imports.readLiveIds(access, cursor)
        for (const [index, id] of page.ids.entries()) live.set(id, page.began?.[index] ?? null)
        cursor = page.nextCursor
        if (cursor === null) return live
      }
    },
    signal,
  )
}
