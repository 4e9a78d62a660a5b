import type { PageShow } from '#extension/messaging/page-view.ts'
import type { ScrapeSession } from '#extension/storage/import-queue/database.ts'

/** How long a finished import stays on the button. */
const showDoneMs = 10 * 60_000

export interface PageFacts {
  /** Signed in to Hapax with a working key. */
  signedIn: boolean
  /** The page is a shop, and that of the user signed in on the platform. */
  ownShop: boolean
  total: number | null
  scrape: ScrapeSession | undefined
  /** The last look at what sold. */
  check: ScrapeSession | undefined
  /** The operator has turned reading off for this version. */
  off: boolean
  now: number
}

/** What a page shows: nothing unless it is the seller's own shop. */
export function decideShow(facts: PageFacts): PageShow {
  const { scrape, check, ownShop, signedIn, total, off, now } = facts
  if (!ownShop) return { kind: 'nothing' }
  if (off) return { kind: 'off' }
  if (scrape?.state === 'reading')
    return { kind: 'reading', read: scrape.read + scrape.failed, total: scrape.expected_total }
  if (!signedIn) return { kind: 'sign_in' }
  if (scrape?.state === 'stopped') {
    return {
      kind: 'stopped',
      reason: scrape.stop?.reason ?? 'internal',
      read: scrape.read,
      total: scrape.expected_total,
    }
  }
  if (scrape?.state === 'read') return { kind: 'sending', read: scrape.read }
  if (scrape?.state === 'refused') return { kind: 'refused' }
  if (
    scrape?.state === 'sent' &&
    now - scrape.updated_at < showDoneMs &&
    !(check && check.updated_at > scrape.updated_at)
  ) {
    const problems = scrape.problems ?? []
    return { kind: 'done', read: scrape.read, failed: scrape.failed - problems.length, problem: problems[0] ?? null }
  }
  return (signedIn && check && showCheck(check, now)) || { kind: 'offer', total }
}

function showCheck(check: ScrapeSession, now: number): PageShow | null {
  if (check.state === 'reading') return { kind: 'checking' }
  if (check.state === 'stopped') {
    return { kind: 'stopped', reason: check.stop?.reason ?? 'internal', read: check.read, total: null }
  }
  return check.sold && now - check.updated_at < showDoneMs ? { kind: 'sold', sold: check.sold } : null
}

/** A tab that has not been heard of for this long no longer reads: longer than the slowest fetch of a page. */
const driverSilentMs = 45_000

/** True when the tab may read for the run: nobody does, it does itself, or the one who did has fallen silent. */
export function mayDrive(scrape: ScrapeSession, tab: number, now: number): boolean {
  return scrape.driver === null || scrape.driver.tab === tab || now - scrape.driver.heard_at > driverSilentMs
}

/** True when some tab was heard of lately enough to be reading for the run still. */
export function mayBeReading(scrape: ScrapeSession, now: number): boolean {
  return now - Math.max(scrape.driver?.heard_at ?? 0, scrape.updated_at) <= driverSilentMs
}

/** Pause before the next fetch: a person's pace with some irregularity; doubling after misses. */
export function paceMs(baseMs: number, misses: number, random: () => number): number {
  return Math.round(baseMs * (1 + random() / 2) * 2 ** misses)
}
