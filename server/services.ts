import type { PlatformSlug } from '#shared/platforms.ts'
import type { PasswordHasher } from './accounts/passwords/hasher.ts'
import type { ReadPhoto } from './catalog/imports/matching/read-photo.ts'
import type { LimitSettings } from './http/limits/limit-settings.ts'
import type { Quotas } from './http/quotas/index.ts'
import type { UsageRecorder } from './http/usage-recorder.ts'
import type { Transaction } from './infra/db/index.ts'
import type { InfraServices } from './infra/services.ts'
import type { FetchPicture } from './integrations/fetch-picture.ts'
import type { PlatformAdapter } from './integrations/port.ts'
import type { ReadBack } from './integrations/read-back.ts'
import type { Times } from './times.ts'

/** The dependencies of all features. Tests pass their own. */
export interface Services extends InfraServices {
  /** Configured platforms by slug; platforms without credentials are absent. */
  platforms: ReadonlyMap<string, PlatformAdapter>
  connectionHooks: ConnectionHooks
  /** Fetches pictures from any public address; absent where they must not be fetched. */
  fetchPicture?: FetchPicture
  /** Computes the hashes of a photo; absent where pictures must not be fetched. */
  readPhoto?: ReadPhoto
  passwords: PasswordHasher
  /** Limits of requests and their answers. */
  limits: LimitSettings
  times: Times
  usage: UsageRecorder
  quotas: Quotas
}

export interface ConnectionRef {
  user_id: number
  seller_account_uid: string
  platform: PlatformSlug
}

/** A shop at the moment it is connected; `external_id` is the platform's id. */
export interface ConnectedShop extends ConnectionRef {
  external_id: string
}

/** A listing that was read back after it was sent. */
export interface ListingReadBack extends ConnectionRef {
  item_uid: string
  listing_id: string
  read: ReadBack
}

/** Runs inside the transaction that changes the connection, so both commit or neither. */
export type ConnectionHook<Shop = ConnectionRef> = (
  services: Services,
  queries: Transaction,
  account: Shop,
) => Promise<unknown>

/**
 * The hooks of all features (server/rooms.ts).
 * - `connected`: the seller has connected the shop, for the first time or again
 * - `resumed`: it works again after reconnect_required or a disconnect; continue waiting work
 * - `lost`: the platform no longer accepts us; running work waits
 * - `disconnected`: the seller removed it; running work stops
 * - `readBack`: a listing of the shop was sent and read back
 * - `reachable`: the account's address is verified, so that mails reach the seller
 * - `closed`: the account was closed; nothing comes in for it any more
 */
export interface ConnectionHooks {
  connected: ConnectionHook<ConnectedShop>[]
  resumed: ConnectionHook[]
  lost: ConnectionHook[]
  disconnected: ConnectionHook[]
  readBack: ConnectionHook<ListingReadBack>[]
  reachable: ConnectionHook<{ user_id: number }>[]
  closed: ConnectionHook<{ user_id: number }>[]
}
