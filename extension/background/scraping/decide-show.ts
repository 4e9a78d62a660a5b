import type { PageShow } from '#extension/messaging/page-view.ts'
import type { ScrapeSession } from '#extension/storage/import-queue/database.ts'

/** Time for which the button shows a finished import or check, in ms. */
const doneShownMs = 10 * 60_000

interface PageFacts {
  /** Signed in to Hapax with a valid key. */
  signedIn: boolean
  /** The page is the shop of the user signed in there. */
  ownShop: boolean
  total: number | null
  scrape: ScrapeSession | undefined
  /** The last check for sales. */
  check: ScrapeSession | undefined
  /** The operator has paused reading for this version. */
  readingPaused: boolean
  now: number
}

/** Decides what the button shows. Only the seller's own shop shows one. */
export function decideShow(facts: PageFacts): PageShow {
  const { scrape, check, ownShop, signedIn, total, readingPaused, now } = facts
  if (!ownShop) return { kind: 'nothing' }
  if (readingPaused) return { kind: 'off' }
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
    now - scrape.updated_at < doneShownMs &&
    !(check && check.updated_at > scrape.updated_at)
  ) {
    const problems = scrape.problems ?? []
    return { kind: 'done', read: scrape.read, failed: scrape.failed - problems.length, problem: problems[0] ?? null }
  }
  return (signedIn && check && showOfCheck(check, now)) || { kind: 'offer', total }
}

function showOfCheck(check: ScrapeSession, now: number): PageShow | null {
  if (check.state === 'reading') return { kind: 'checking' }
  if (check.state === 'stopped') {
    return { kind: 'stopped', reason: check.stop?.reason ?? 'internal', read: check.read, total: null }
  }
  return check.sold && now - check.updated_at < doneShownMs ? { kind: 'sold', sold: check.sold } : null
}

/** Silence after which a tab no longer counts as reading, in ms. Longer than the slowest fetch. */
const driverSilentMs = 45_000

/** Returns true if the tab may read: no other tab does, or the other fell silent. */
export function mayDrive(scrape: ScrapeSession, tab: number, now: number): boolean {
  return scrape.driver === null || scrape.driver.tab === tab || now - scrape.driver.heard_at > driverSilentMs
}

/** Returns true if some tab may still be reading. */
export function mayBeReading(scrape: ScrapeSession, now: number): boolean {
  return now - Math.max(scrape.driver?.heard_at ?? 0, scrape.updated_at) <= driverSilentMs
}

/** Returns the pause before the next fetch: randomized, and doubled after each miss. */
export function paceMs(baseMs: number, misses: number, random: () => number): number {
  return Math.round(baseMs * (1 + random() / 2) * 2 ** misses)
}
