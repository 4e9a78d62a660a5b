import type { ImportJob } from '#shared/contract/imports.ts'
import type { ExtensionTask } from '#shared/contract/tasks.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import type { ImportRow } from './import-row.ts'
import type { WireError } from './wire-error.ts'

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
