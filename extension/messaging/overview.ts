import type { CheckKind } from '#shared/contract/catalog/checks.ts'
import type { ImportJob } from '#shared/contract/catalog/imports.ts'
import type { Platform, SellerAccount } from '#shared/contract/connections.ts'
import type { Alert } from '#shared/contract/selling/orders.ts'
import type { ShipmentTotals } from '#shared/contract/selling/shipments.ts'
import type { ExtensionTask } from '#shared/contract/selling/tasks.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import type { ImportRow } from './import-row.ts'
import type { TakeDownState } from './take-downs.ts'
import type { WireError } from './wire-error.ts'

/**
 * `ok`: the last needed call worked. `idle`: connected, and no call was needed yet. `failing`: Hapax retries by itself.
 * `needs_you`: the seller must sign in there. `none`: not connected. `unknown`: no information.
 */
export type Health = 'ok' | 'idle' | 'failing' | 'needs_you' | 'none' | 'unknown'

export interface PlatformHealth {
  slug: PlatformSlug
  name: string
  /** The seller's own shop if known, else the platform. */
  url: string
  connection: 'oauth' | 'extension'
  health: Health
  /** Name of the shop, if known. */
  shop: string | null
  /** When it was last seen working, in epoch ms. */
  seen_at: number | null
  /** The failing call, with its next try in epoch ms. Null unless `failing`. */
  failing: { what: 'take_down' | 'orders' | 'imports'; next_try_at: number | null } | null
  /** The server's answer about it; null without one. */
  answer: Platform | null
  /** The operator has paused reading for this version. */
  reading_off: boolean
}

/** Everything on the popup's first screen. */
export interface Overview {
  session: {
    server: string
    /** Names the account, the same at every sign-in. */
    account: string
    who: string | null
    key_name: string | null
    can_end_key: boolean
    status: 'active' | 'expired'
  } | null
  platforms: PlatformHealth[]
  /** The seller's shops, without disconnected ones. */
  shops: SellerAccount[]
  imports: ImportRow[]
  /** The server's recent jobs, newest first, including dismissed ones, which can still be reviewed. */
  jobs: ImportJob[]
  /** Open tasks, newest first. Null if the key lacks the scope. */
  tasks: ExtensionTask[] | null
  /** Where sold listings end by themselves in this browser. */
  takeDowns: TakeDownState
  /** Open alerts of the server, the most urgent first. */
  alerts: Alert[]
  /** How many findings of each kind the checks of the inventory have. */
  checks: Partial<Record<CheckKind, number>>
  /** Number of listings of bulk jobs that wait for an answer, by platform. */
  unanswered: Partial<Record<PlatformSlug, number>>
  /** Orders to ship, and until when. */
  shipments: ShipmentTotals
  /** Ids of finished imports, and of what else the seller has put away. */
  dismissed: readonly string[]
  /** Number of items in the inventory cache. */
  items: number
  /** Listings read by this browser, and how many are not sent yet. */
  cached: number
  unsent: number
  /** When the server last answered, or null for never. */
  as_of: number | null
  /** Why the server's data is not current. */
  trouble: WireError | null
}

/** Returns true if the server may work in the shop, whether or not its last call succeeded. */
export function isConnected(health: Health | undefined): boolean {
  return health === 'ok' || health === 'idle' || health === 'failing'
}
