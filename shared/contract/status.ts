import { z } from 'zod'
import { PlatformSlug } from '../platforms.ts'
import { route } from './route.ts'

const Spread = z.object({ p50: z.number(), p95: z.number(), p99: z.number() }).describe('Milliseconds').nullable()

/** Figures of one platform over the last seven days, all accounts together. */
export const PlatformStatus = z
  .object({
    platform: PlatformSlug,
    taken_down_by: z.enum(['api', 'seller']).describe('seller: by hand, with the extension'),
    sales: z.int(),
    oversells: z.int().describe('Items that were sold a second time here'),
    delists: z.object({
      ordered: z.int().describe('Listings that a sale elsewhere ordered down'),
      confirmed: z.int().describe('Proven to be down by reading the platform back; by the seller, for those'),
      overdue: z.int().describe('Not proven after five minutes'),
      success_rate: z
        .number()
        .min(0)
        .max(1)
        .nullable()
        .describe('Of those whose five minutes are over, or that are proven, the part that was proven within them'),
      seen_to_accepted_ms: Spread,
      seen_to_confirmed_ms: Spread.describe('From the moment the sale was first seen'),
    }),
    order_checks: z
      .object({
        shops: z.int(),
        last_success_age_seconds: z.number().nullable().describe('Of the shop that was read last'),
        oldest_success_age_seconds: z.number().nullable().describe('Of the shop that waits longest'),
        overdue_shops: z.int(),
        shops_within_a_minute: z
          .int()
          .describe('Shops that the budget has read at least every 60 s, so that a lost push is found that soon'),
      })
      .nullable()
      .describe('Null where orders cannot be read'),
  })
  .meta({ id: 'PlatformStatus' })
export type PlatformStatus = z.infer<typeof PlatformStatus>

/** Public figures without any account's data. */
export const getStatus = route({
  summary: 'How soon sold items come down, per platform, as measured',
  section: 'd11',
  tag: 'Status',
  method: 'GET',
  path: '/api/v1/status/',
  auth: 'none',
  replies: {
    200: z.object({
      from: z.iso.datetime(),
      to: z.iso.datetime(),
      platforms: z.array(PlatformStatus),
    }),
  },
})

export const status = { getStatus }
