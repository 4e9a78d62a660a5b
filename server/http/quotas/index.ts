import type { Config } from '#server/config.ts'
import type { Database, Queries } from '#server/infra/db/index.ts'
import { problem } from '#server/infra/errors.ts'
import type { Listing, ListingFailure } from '#shared/listing.ts'
import * as sql from './queries.ts'

/** Summing an account's data reads all its items, so it is cached; additions count at once. */
const heldForMs = 60_000
/** Bytes of requests counted in memory before the database counts them, per process. */
const writtenAtOnce = 1_000_000
/** Bytes of a row and its indexes beside the sent body. */
const bytesOfRequest = 2_000
/** Stored copies of a body: with the import and the item, or in the item and the replayed response. */
const copiesKept = 2
const dayMs = 86_400_000

/** The remaining quota of an account. Callers subtract their additions. */
interface RemainingQuota {
  items: number
  itemBytes: number
  foundBytes: number
}

/** Limits the data of one account, since all accounts share a disk. */
export interface Quotas {
  /** Returns the account's remaining quota; additions by other processes count within a minute. */
  remainingOf(user_id: number): Promise<RemainingQuota>
  /** Counts an addition until the next sum. */
  add(user_id: number, added: Partial<RemainingQuota>): void
  /** Throws 409 `quota_exceeded` if `planned` more items leave no place for another. */
  requireItemQuota(user_id: number, planned?: number): Promise<void>
  /** Call it in the transaction that created an import; throws 429 `daily_quota_exceeded` beyond the limit of a day. */
  requireImportQuota(tx: Queries, user_id: number): Promise<void>
  /** Counts a write request; throws 429 `daily_quota_exceeded` beyond the bytes of a day. */
  limitWrite(user_id: number, bodyBytes: number): Promise<void>
}

type Settings = Pick<
  Config,
  'QUOTA_ITEMS' | 'QUOTA_ITEM_MB' | 'QUOTA_FOUND_MB' | 'QUOTA_IMPORTS_PER_DAY' | 'QUOTA_WRITTEN_MB_PER_DAY'
>

export const itemsExceeded = (settings: Pick<Settings, 'QUOTA_ITEMS'>) =>
  `An account holds at most ${settings.QUOTA_ITEMS.toLocaleString('en')} items, and this one is full. Delete items that you no longer need.`

const tooMuchRead =
  'This account has imported more listing data in 30 days than is kept. Import the listing again later.'

export function createQuotas({ db, config, now }: { db: Database; config: Settings; now: () => Date }): Quotas {
  const megabyte = 1_000_000
  const held = new Map<number, { remaining: RemainingQuota; untilMs: number }>()
  const written = new Map<number, number>()
  /** Accounts over their daily limit, with the day. */
  const usedUp = new Map<number, string>()

  const remainingOf = async (user_id: number): Promise<RemainingQuota> => {
    const known = held.get(user_id)
    if (known && known.untilMs > performance.now()) return known.remaining
    const kept = await db.one(sql.readHeld({ user_id }))
    const remaining = {
      items: config.QUOTA_ITEMS - kept.items,
      itemBytes: config.QUOTA_ITEM_MB * megabyte - kept.item_bytes,
      foundBytes: config.QUOTA_FOUND_MB * megabyte - kept.found_bytes,
    }
    // Bounded: a forgotten account only costs a query.
    if (held.size > 10_000) held.clear()
    held.set(user_id, { remaining, untilMs: performance.now() + heldForMs })
    return remaining
  }
  const refuseToday = () => {
    const left = dayMs - (now().getTime() % dayMs)
    return problem('daily_quota_exceeded', 'This account has sent as much today as it may. Go on tomorrow (UTC).', {
      retryAfterSeconds: left / 1000,
    })
  }

  return {
    remainingOf,
    add(user_id, added) {
      const remaining = held.get(user_id)?.remaining
      if (!remaining) return
      remaining.items -= added.items ?? 0
      remaining.itemBytes -= added.itemBytes ?? 0
      remaining.foundBytes -= added.foundBytes ?? 0
    },
    async requireItemQuota(user_id, planned = 0) {
      const remaining = await remainingOf(user_id)
      if (remaining.items <= planned) throw problem('quota_exceeded', itemsExceeded(config))
      if (remaining.itemBytes <= 0) {
        throw problem('quota_exceeded', `The items of an account hold at most ${config.QUOTA_ITEM_MB} MB of text.`)
      }
    },
    async requireImportQuota(tx, user_id) {
      const since = new Date(now().getTime() - dayMs)
      const { imports } = await tx.one(sql.countImports({ user_id, since }))
      if (imports <= config.QUOTA_IMPORTS_PER_DAY) return
      throw problem(
        'daily_quota_exceeded',
        `An account starts at most ${config.QUOTA_IMPORTS_PER_DAY} imports a day. Try again later.`,
        { retryAfterSeconds: 3_600 },
      )
    },
    async limitWrite(user_id, bodyBytes) {
      const day = now().toISOString().slice(0, 10)
      if (usedUp.get(user_id) === day) throw refuseToday()
      const bytes = (written.get(user_id) ?? 0) + copiesKept * bodyBytes + bytesOfRequest
      if (bytes < writtenAtOnce) {
        if (written.size > 100_000) written.clear()
        written.set(user_id, bytes)
        return
      }
      written.delete(user_id)
      const { bytes: today } = await db.one(sql.addWritten({ user_id, day, bytes }))
      if (today <= config.QUOTA_WRITTEN_MB_PER_DAY * megabyte) return
      if (usedUp.size > 10_000) usedUp.clear()
      usedUp.set(user_id, day)
      throw refuseToday()
    },
  }
}

/**
 * Replaces each listing beyond the quota by a failure, so that the import continues and its seller sees what is
 * missing. Subtracts the rest from the quota.
 */
export function withinQuota(
  found: readonly (Listing | ListingFailure)[],
  remaining: RemainingQuota,
): { found: (Listing | ListingFailure)[]; bytes: number } {
  let bytes = 0
  const kept = found.map((each): Listing | ListingFailure => {
    const size = Buffer.byteLength(JSON.stringify(each))
    if ('error_code' in each || bytes + size <= remaining.foundBytes) {
      bytes += size
      return each
    }
    const { listing_id, title } = each
    return { listing_id, title: title.slice(0, 500), error_code: 'quota_exceeded', error_message: tooMuchRead }
  })
  return { found: kept, bytes }
}
