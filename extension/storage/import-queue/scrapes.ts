import type { ScrapePlatform, Shop } from '#extension/platforms/port.ts'
import type { Cache, Run, RunState } from './database.ts'

const unfinished: readonly RunState[] = ['reading', 'stopped', 'read', 'refused']

/** The last import of a shop, whatever its state. */
export async function findRun(
  cache: Cache,
  platform: ScrapePlatform,
  shop: Pick<Shop, 'username'>,
): Promise<Run | undefined> {
  return (await runsOf(cache, platform, shop)).find((run) => !isCheck(run))
}

/** The last check of a shop, whatever its state. */
export async function findCheck(
  cache: Cache,
  platform: ScrapePlatform,
  shop: Pick<Shop, 'username'>,
): Promise<Run | undefined> {
  return (await runsOf(cache, platform, shop)).find(isCheck)
}

/** True for a run that only looks what sold. */
export function isCheck(run: Pick<Run, 'kind'>): boolean {
  return run.kind === 'check'
}

async function runsOf(cache: Cache, platform: ScrapePlatform, shop: Pick<Shop, 'username'>): Promise<Run[]> {
  const runs = await cache.runs.where({ platform: platform.slug, username: shop.username.toLowerCase() }).toArray()
  return runs.sort((one, other) => other.started_at - one.started_at)
}

/** True while there is something left to do for a run. */
export function isUnfinished(run: Run): boolean {
  return unfinished.includes(run.state)
}

/** A new run at the first step. The user name is kept in lower case: addresses of shops know no case. */
export function newRun(platform: ScrapePlatform, shop: Shop, expectedTotal: number | null, now: number): Run {
  return {
    id: crypto.randomUUID(),
    kind: 'import',
    platform: platform.slug,
    username: shop.username.toLowerCase(),
    shop_url: shop.url,
    shop_id: shop.id ?? null,
    state: 'reading',
    stop: null,
    cursor: platform.begin(shop, expectedTotal),
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
