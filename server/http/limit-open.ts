import type Koa from 'koa'
import { applyAllowances } from './allowance.ts'
import type { LimitSettings } from './limit-settings.ts'
import { createMemoryCounts } from './memory-counts.ts'

/** Pages and documents that need no credential and have no limit of their own. */
const documents = new Set([
  '/',
  '/docs',
  '/docs/errors',
  '/privacy',
  '/api/openapi.json',
  '/schemas/unique-inventory-record/0.1.json',
])

/**
 * Limits what anybody may ask without a credential, by address. Counted in this process: a count in the database would
 * cost more than the answer. Pushes get a wide limit, since a marketplace sends all shops' from few addresses.
 */
export function limitOpen(settings: LimitSettings, now: () => number = Date.now): Koa.Middleware {
  const counts = createMemoryCounts(now)
  return (ctx, next) => {
    const isPush = ctx.path.startsWith('/webhooks/')
    if (!isPush && !documents.has(ctx.path)) return next()
    const limit = isPush ? settings.pushesPerMinute : settings.documentsPerMinute
    const { count, seconds } = counts.add(`${isPush ? 'push' : 'document'} ${ctx.state.address}`, 1)
    // Only refusals are told: a marketplace does not read these headers, and documents are cached by some.
    if (count > limit) {
      applyAllowances(ctx, [{ policy: 'address', limit, ordinal: count, secondsLeft: seconds }])
    }
    return next()
  }
}
