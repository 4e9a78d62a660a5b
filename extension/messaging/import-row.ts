import type { StopReason } from '#extension/platforms/port.ts'
import type { ExtensionSlug, PlatformSlug } from '#shared/platforms.ts'

/** Phase of an import in this browser or on the server. `waiting`: ready to read, but no tab does. */
type ImportPhase = 'reading' | 'waiting' | 'stopped' | 'sending' | 'working' | 'done' | 'failed' | 'refused'

export interface ImportCounts {
  found: number
  imported: number
  there: number
  failed: number
  to_look_at: number
}

export interface ImportRow {
  /** Id of the job, or of the scrape until there is a job. */
  id: string
  job: string | null
  scrape: string | null
  platform: PlatformSlug
  phase: ImportPhase
  /** Listings handled so far, and the total if known. */
  done: number
  total: number | null
  /** 0 to 100, or null if unknown. */
  percent: number | null
  counts: ImportCounts | null
  /** The shop's page, if this browser reads it. */
  shop_url: string | null
  /** Why the server waits before it goes on, and until when, in epoch ms. Null while nothing is wrong. */
  waits: { reason: string; until: number } | null
  stop: { reason: StopReason; platform: ExtensionSlug; shop_url: string } | null
  /** Error of the whole import. */
  problem: string | null
  /** Finished without reading everything the shop has. `note` gives details. */
  incomplete: boolean
  note: string | null
  started_at: number
  finished_at: number | null
}

/** Returns a shop's finished imports, including this row, which represents them all. */
export function finishedLike(row: ImportRow, rows: readonly ImportRow[]): ImportRow[] {
  return rows.filter((one) => one.platform === row.platform && isFinished(one) && !needsSeller(one))
}

/** Returns the rows without imports that a newer one of the same shop replaces. */
export function newestOf(rows: readonly ImportRow[]): ImportRow[] {
  return rows.filter((row) => !isFinished(row) || needsSeller(row) || finishedLike(row, rows)[0] === row)
}

/** Returns true if only the seller can move it on. */
export function needsSeller(row: ImportRow): boolean {
  return isHalted(row) || (row.counts?.to_look_at ?? 0) > 0
}

const isHalted = ({ phase }: ImportRow) => phase === 'waiting' || phase === 'stopped' || phase === 'refused'

/** Returns true if it only asks about some of its listings. */
export const isAsking = (row: ImportRow): boolean => needsSeller(row) && !isHalted(row)

/** Returns true if nothing moves it on any more. */
export function isFinished(row: ImportRow): boolean {
  return row.phase === 'done' || row.phase === 'failed'
}
