import type { StopReason } from '#extension/platforms/port.ts'
import type { ExtensionSlug, PlatformSlug } from '#shared/platforms.ts'

/**
 * Where an import stands, whether this browser reads it or the server does. `waiting`: it is to be read, and no tab does.
 */
export type ImportPhase = 'reading' | 'waiting' | 'stopped' | 'sending' | 'working' | 'done' | 'failed' | 'refused'

export interface ImportCounts {
  found: number
  imported: number
  there: number
  failed: number
  to_look_at: number
}

export interface ImportRow {
  /** Of the job, or of the run as long as there is no job. */
  id: string
  job: string | null
  scrape: string | null
  platform: PlatformSlug
  phase: ImportPhase
  /** Listings dealt with so far, and of how many; null: not known. */
  done: number
  total: number | null
  /** 0 to 100; null while it cannot be said. */
  percent: number | null
  counts: ImportCounts | null
  /** Page of the shop, where this browser reads it. */
  shop_url: string | null
  stop: { reason: StopReason; platform: ExtensionSlug; shop_url: string } | null
  /** What went wrong with the import as a whole. */
  problem: string | null
  /** It is over, and not all that the shop says it has was read; `note` says how much, or what else there is to know. */
  incomplete: boolean
  note: string | null
  started_at: number
  finished_at: number | null
}

/** Finished imports of a shop that are of no more interest than this row, itself included: it stands for them all. */
export function finishedLike(row: ImportRow, rows: readonly ImportRow[]): ImportRow[] {
  return rows.filter((one) => one.platform === row.platform && isFinished(one) && !needsSeller(one))
}

/** The rows without what a newer finished import of the same shop stands for. */
export function newestOf(rows: readonly ImportRow[]): ImportRow[] {
  return rows.filter((row) => !isFinished(row) || needsSeller(row) || finishedLike(row, rows)[0] === row)
}

/** True when only the seller can move it on. */
export function needsSeller(row: ImportRow): boolean {
  return ['waiting', 'stopped', 'refused'].includes(row.phase) || (row.counts?.to_look_at ?? 0) > 0
}

/** True when nothing moves it on any more. */
export function isFinished(row: ImportRow): boolean {
  return row.phase === 'done' || row.phase === 'failed'
}
