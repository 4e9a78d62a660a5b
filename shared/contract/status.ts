import { z } from 'zod'
import { PlatformSlug } from '../platforms.ts'
import { routesOf } from './declaring/route.ts'

const Spread = z
  .object({
    p50: z.number().describe('Half are at most this'),
    p95: z.number().describe('95 of 100 are at most this'),
    p99: z.number().describe('99 of 100 are at most this'),
  })
  .describe('Milliseconds')
  .nullable()

/** Figures of one platform over the last seven days, all accounts together. */
export const PlatformStatus = z
  .object({
    platform: PlatformSlug.describe('The platform'),
    taken_down_by: z.enum(['api', 'seller']).describe('seller: by hand, with the extension'),
    sales: z.int().describe('How many were sold'),
    oversells: z.int().describe('Items that were sold a second time here'),
    delists: z
      .object({
        ordered: z.int().describe('Listings that a sale elsewhere ordered down'),
        confirmed: z.int().describe('Proven to be down by reading the platform back; by the seller, for those'),
        overdue: z.int().describe('Not proven after five minutes'),
        success_rate: z
          .number()
          .min(0)
          .max(1)
          .nullable()
          .describe('Of those whose five minutes are over, or that are proven, the part that was proven within them'),
        seen_to_accepted_ms: Spread.describe('Times from seeing a sale to recording it'),
        seen_to_confirmed_ms: Spread.describe('From the moment the sale was first seen'),
        sale_to_down_ms: z
          .object({
            take_downs: z.int().describe('How many it is measured by'),
            p50: z.number().describe('Half are at most this'),
            p95: z.number().describe('95 of 100 are at most this'),
          })
          .nullable()
          .describe(
            'Milliseconds from the order of the buyer until the listing here was down. Null where there are fewer than 20 to say it by',
          ),
      })
      .describe('Times from a sale to the end of the other listings'),
    order_checks: z
      .object({
        shops: z.int().describe('How many shops there are'),
        last_success_age_seconds: z.number().nullable().describe('Of the shop that was read last'),
        oldest_success_age_seconds: z.number().nullable().describe('Of the shop that waits longest'),
        overdue_shops: z.int().describe('Shops that were not read in time'),
        shops_within_a_minute: z
          .int()
          .describe('Shops that the budget has read at least every 60 s, so that a lost push is found that soon'),
        slowest_interval_seconds: z
          .int()
          .nullable()
          .describe('Planned time between two readings of the shop that is read least: a lost push is found that late'),
        budget: z
          .object({
            calls_per_day: z.int().describe('Calls that the platform grants in 24 hours'),
            calls_used: z.int().describe('Calls of the last 24 hours'),
            calls_for_orders: z.int().describe('The part that reading orders on schedule may use'),
            calls_needed: z
              .int()
              .describe(
                'Calls that reading every shop at the slowest planned interval takes. Above calls_for_orders, all shops are read more slowly',
              ),
          })
          .describe('All shops share the calls of one application'),
      })
      .nullable()
      .describe('Null where orders cannot be read'),
  })
  .meta({ id: 'PlatformStatus' })
export type PlatformStatus = z.infer<typeof PlatformStatus>

/** Public figures without any account's data. */
export const getStatus = routesOf('Status')({
  summary: 'How soon sold items come down, per platform, as measured',
  method: 'GET',
  path: '/api/v1/status/',
  auth: 'none',
  replies: {
    200: z.object({
      from: z.iso.datetime().describe('The beginning of the period'),
      to: z.iso.datetime().describe('The end of the period'),
      double_sales: z
        .object({
          sales: z.int().describe('The denominator: how many items were sold'),
          double_sales: z.int().describe('Items that were sold a second time'),
          preventable: z
            .int()
            .describe('Those whose second buyer ordered after Hapax had recorded the first sale, or nobody knows when'),
          preventable_per_10000: z
            .number()
            .nullable()
            .describe('Preventable ones per 10,000 sales; null without a sale'),
        })
        .describe('Items that were sold twice'),
      platforms: z.array(PlatformStatus).describe('The platforms'),
    }),
  },
})

export const status = { getStatus }
