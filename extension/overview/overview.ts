import type { ImportJob } from '#shared/contract/imports.ts'
import type { ExtensionTask } from '#shared/contract/tasks.ts'
import type { ExtensionSlug, PlatformSlug } from '#shared/platforms.ts'
import type { WireError } from '../messages/wire-error.ts'
import type { StopReason } from '../platforms/port.ts'

/** `ok`: seen working; `none`: not connected; `needs_you`: the seller must sign in there again; `unknown`: nobody said. */
export type Health = 'ok' | 'none' | 'needs_you' | 'unknown'

export interface PlatformHealth {
  slug: PlatformSlug
  name: string
  /** Of the seller's own shop where it is known, else of the platform. */
  url: string
  connection: 'oauth' | 'extension'
  health: Health
  /** Name of the shop; null where none is known. */
  shop: string | null
  /** When it was last seen working, epoch milliseconds. */
  seen_at: number | null
  /** The operator has turned its reading off for this version. */
  reading_off: boolean
}

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
  run: string | null
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

/** All that the popup's first screen shows. */
export interface Overview {
  session: {
    server: string
    who: string | null
    key_name: string | null
    can_end_key: boolean
    status: 'active' | 'expired'
  } | null
  platforms: PlatformHealth[]
  imports: ImportRow[]
  /** The server's last jobs, newest first, dismissed ones too: their listings can still be looked at. */
  jobs: ImportJob[]
  /** Open tasks, newest first; null: this browser's key may not see them. */
  tasks: ExtensionTask[] | null
  /** Items of the inventory that this browser knows. */
  items: number
  /** Listings in this browser's cache, and how many of them wait to be sent. */
  cached: number
  unsent: number
  /** When the server last answered; null: never. */
  as_of: number | null
  /** Why the server's part is not of now. */
  trouble: WireError | null
}
