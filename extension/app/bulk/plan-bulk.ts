import { type InventoryRow, livePlatforms } from '#extension/storage/inventory-cache/row.ts'
import type { OAuthSlug, PlatformSlug } from '#shared/platforms.ts'

/** An item and a platform to list it on. */
export interface Target {
  uid: string
  platform: OAuthSlug
}

/** Returns the key of a target. */
export const nameOf = ({ uid, platform }: Target) => `${uid} ${platform}`

/** Effect of a bulk action on one platform. */
interface PlatformPlan {
  platform: PlatformSlug
  /** Uids to list or to end. */
  doing: string[]
  /** Items that are already listed, or are not listed when ending. */
  already: number
}

export interface BulkPlan {
  platforms: PlatformPlan[]
  /** Items that cannot be listed because they are reserved, sold or withdrawn. */
  left_out: number
}

/** Plans a bulk action. Ending listings is allowed in every state. */
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

/** Returns the distinct uids that the action affects on the chosen platforms. */
export function uidsOf(plan: BulkPlan, chosen: readonly PlatformSlug[]): string[] {
  const doing = plan.platforms.filter((one) => chosen.includes(one.platform)).flatMap((one) => one.doing)
  return [...new Set(doing)]
}
