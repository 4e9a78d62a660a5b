import { type InventoryRow, livePlatforms } from '#extension/storage/inventory-cache/row.ts'
import type { PlatformSlug } from '#shared/platforms.ts'

/** What an action does with the chosen items on one platform. */
export interface PlatformPlan {
  platform: PlatformSlug
  /** Uids that are listed, or taken down. */
  doing: string[]
  /** Items that are there already (list), or are not there (take down). */
  already: number
}

export interface BulkPlan {
  platforms: PlatformPlan[]
  /** Items that cannot be listed at all: reserved, sold or withdrawn. */
  left_out: number
}

/** What will happen, before it does. Taking down is never refused for an item's state. */
export function planBulk(
  action: 'list' | 'delist',
  rows: readonly InventoryRow[],
  platforms: readonly PlatformSlug[],
): BulkPlan {
  const able = action === 'list' ? rows.filter((row) => row.state === 'available') : rows
  const live = new Map(able.map((row) => [row.uid, livePlatforms(row)]))
  return {
    left_out: rows.length - able.length,
    platforms: platforms.map((platform) => {
      const doing = able.filter((row) => live.get(row.uid)?.includes(platform) === (action === 'delist'))
      return { platform, doing: doing.map((row) => row.uid), already: able.length - doing.length }
    }),
  }
}

/** Uids of all that an action does anything with on the platforms chosen, each once. */
export function uidsOf(plan: BulkPlan, chosen: readonly PlatformSlug[]): string[] {
  const doing = plan.platforms.filter((one) => chosen.includes(one.platform)).flatMap((one) => one.doing)
  return [...new Set(doing)]
}
