import type { PageShow } from '#extension/messaging/page-view.ts'
import type { Run } from '#extension/storage/import-queue/database.ts'

/** How long a finished import stays on the button. */
const showDoneMs = 10 * 60_000

export interface PageFacts {
  /** Signed in to Hapax with a working key. */
  signedIn: boolean
  /** The page is a shop, and that of the user signed in on the platform. */
  ownShop: boolean
  total: number | null
  run: Run | undefined
  /** The last look at what sold. */
  check: Run | undefined
  /** The operator has turned reading off for this version. */
  off: boolean
  now: number
}

/** What a page shows: nothing unless it is the seller's own shop. */
export function decideShow(facts: PageFacts): PageShow {
  const { run, check, ownShop, signedIn, total, off, now } = facts
  if (!ownShop) return { kind: 'nothing' }
  if (off) return { kind: 'off' }
  if (run?.state === 'reading') return { kind: 'reading', read: run.read + run.failed, total: run.expected_total }
  if (!signedIn) return { kind: 'sign_in' }
  if (run?.state === 'stopped') {
    return { kind: 'stopped', reason: run.stop?.reason ?? 'internal', read: run.read, total: run.expected_total }
  }
  if (run?.state === 'read') return { kind: 'sending', read: run.read }
  if (run?.state === 'refused') return { kind: 'refused' }
  if (run?.state === 'sent' && now - run.updated_at < showDoneMs && !(check && check.updated_at > run.updated_at)) {
    const problems = run.problems ?? []
    return { kind: 'done', read: run.read, failed: run.failed - problems.length, problem: problems[0] ?? null }
  }
  return (signedIn && check && showCheck(check, now)) || { kind: 'offer', total }
}

function showCheck(check: Run, now: number): PageShow | null {
  if (check.state === 'reading') return { kind: 'checking' }
  if (check.state === 'stopped') {
    return { kind: 'stopped', reason: check.stop?.reason ?? 'internal', read: check.read, total: null }
  }
  return check.sold && now - check.updated_at < showDoneMs ? { kind: 'sold', sold: check.sold } : null
}

/** A tab that has not been heard of for this long no longer reads: longer than the slowest fetch of a page. */
const driverSilentMs = 45_000

/** True when the tab may read for the run: nobody does, it does itself, or the one who did has fallen silent. */
export function mayDrive(run: Run, tab: number, now: number): boolean {
  return run.driver === null || run.driver.tab === tab || now - run.driver.heard_at > driverSilentMs
}

/** True when some tab was heard of lately enough to be reading for the run still. */
export function mayBeReading(run: Run, now: number): boolean {
  return now - Math.max(run.driver?.heard_at ?? 0, run.updated_at) <= driverSilentMs
}

/** Pause before the next fetch: a person's pace with some irregularity; doubling after misses. */
export function paceMs(baseMs: number, misses: number, random: () => number): number {
  return Math.round(baseMs * (1 + random() / 2) * 2 ** misses)
}
