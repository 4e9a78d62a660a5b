import type Koa from 'koa'
import { applyAllowances } from './allowance.ts'
import type { LimitSettings } from './limit-settings.ts'
import { createMemoryCounts } from './memory-counts.ts'

/** Public pages and documents without a limit of their own. */
const documents = new Set([
  '/',
  '/docs',
  '/docs/errors',
  '/privacy',
  '/api/openapi.json',
  '/schemas/unique-inventory-record/0.1.json',
])

/**
 * Limits public requests by address. Counts in this process, since a count in the database would cost more than the
 * response. Pushes have a wide limit: a marketplace sends for all shops from few addresses.
 */
export function limitOpen(settings: LimitSettings, now: () => number = Date.now): Koa.Middleware {
  const counts = createMemoryCounts(now)
  return (ctx, next) => {
    const isPush = ctx.path.startsWith('/webhooks/')
    if (!isPush && !documents.has(ctx.path)) return next()
    const limit = isPush ? settings.pushesPerMinute : settings.documentsPerMinute
    const { count, seconds } = counts.add(`${isPush ? 'push' : 'document'} ${ctx.state.address}`, 1)
    // Only refusals have headers: marketplaces ignore them, and documents are cached.
    if (count > limit) {
      applyAllowances(ctx, [{ policy: 'address', limit, ordinal: count, secondsLeft: seconds }])
    }
    return next()
  }
}
