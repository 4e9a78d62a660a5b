import type { ScrapePlatform, Shop } from '#extension/platforms/port.ts'
import type { ImportQueue, ScrapeSession, ScrapeState } from './database.ts'

const unfinished: readonly ScrapeState[] = ['reading', 'stopped', 'read', 'refused']

/** Returns a shop's last import in any state. */
export async function findImport(
  importQueue: ImportQueue,
  platform: ScrapePlatform,
  shop: Pick<Shop, 'username'>,
): Promise<ScrapeSession | undefined> {
  return (await scrapesOf(importQueue, platform, shop)).find((scrape) => !isCheck(scrape))
}

/** Returns a shop's last check in any state. */
export async function findCheck(
  importQueue: ImportQueue,
  platform: ScrapePlatform,
  shop: Pick<Shop, 'username'>,
): Promise<ScrapeSession | undefined> {
  return (await scrapesOf(importQueue, platform, shop)).find(isCheck)
}

/** Returns true for a scrape that only looks for sales. */
export function isCheck(scrape: Pick<ScrapeSession, 'kind'>): boolean {
  return scrape.kind === 'check'
}

async function scrapesOf(
  importQueue: ImportQueue,
  platform: ScrapePlatform,
  shop: Pick<Shop, 'username'>,
): Promise<ScrapeSession[]> {
  const scrapes = await importQueue.scrapes
    .where({ platform: platform.slug, username: shop.username.toLowerCase() })
    .toArray()
  return scrapes.sort((one, other) => other.started_at - one.started_at)
}

/** Returns true while work is left for a scrape. */
export function isUnfinished(scrape: ScrapeSession): boolean {
  return unfinished.includes(scrape.state)
}

/** Creates a scrape at its first step. User names are lower case, since shop URLs ignore case. */
export function newScrape(
  platform: ScrapePlatform,
  shop: Shop,
  expectedTotal: number | null,
  now: number,
): ScrapeSession {
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
