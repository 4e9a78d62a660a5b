import type { Room } from '#server/room.ts'
import { emitConnected, emitDisconnected, emitLost } from './connections/emit-connections.ts'
import { connectionsJobs } from './connections/jobs.ts'
import { connectionsRoutes } from './connections/routes.ts'
import { requestSaleNotices } from './connections/sale-notices.ts'
import { encryptedTokens } from './connections/token-encryption.ts'

/** Shops on marketplaces, and what may be asked of them. */
export const integrationsRoom = {
  tables: {
    reference: ['connect_ticket', 'oauth_state', 'platform_pause', 'seller_account'],
    local: ['ebay_push_key', 'platform_quota', 'platform_quota_shop', 'platform_quota_slot'],
  },
  clockColumns: {
    ebay_push_key: ['checked_at'],
    platform_quota: ['blocked_until', 'refused_at'],
    platform_quota_shop: ['blocked_until', 'next_at', 'asked_at'],
    platform_quota_slot: ['slot'],
    seller_account: [
      'last_synced_at',
      'last_seen_at',
      'last_checked_at',
      'access_expires_at',
      'reconciled_at',
      'listings_changed_at',
      'unpaid_read_at',
      'notices_checked_at',
    ],
  },
  encrypted: encryptedTokens,
  routes: connectionsRoutes,
  jobs: connectionsJobs,
  hooks: {
    connected: [requestSaleNotices],
    resumed: [emitConnected],
    lost: [emitLost],
    disconnected: [emitDisconnected],
  },
} satisfies Room
