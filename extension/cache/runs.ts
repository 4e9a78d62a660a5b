import type { ScrapePlatform, Shop } from '../platforms/port.ts'
import type { Cache, Run, RunState } from './database.ts'

const unfinished: readonly RunState[] = ['reading', 'stopped', 'read', 'refused']

/** The last run of a shop, whatever its state. */
export async function findRun(cache: Cache, platform: ScrapePlatform, shop: Shop): Promise<Run | undefined> {
  const runs = await cache.runs.where({ platform: platform.slug, username: shop.username.toLowerCase() }).toArray()
  return runs.sort((one, other) => other.started_at - one.started_at)[0]
}

/** True while there is something left to do for a run. */
export function isUnfinished(run: Run): boolean {
  return unfinished.includes(run.state)
}

/** A new run at the first step. The user name is kept in lower case: addresses of shops know no case. */
export function newRun(platform: ScrapePlatform, shop: Shop, expectedTotal: number | null, now: number): Run {
  return {
    id: crypto.randomUUID(),
    platform: platform.slug,
    username: shop.username.toLowerCase(),
    shop_url: shop.url,
    state: 'reading',
    stop: null,
    cursor: platform.begin(shop),
    step: 1,
    misses: 0,
    expected_total: expectedTotal,
    read: 0,
    failed: 0,
    job: null,
    jobs_opened: 0,
    refusal: null,
    driver: null,
    started_at: now,
    updated_at: now,
  }
}
