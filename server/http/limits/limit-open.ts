import type Koa from 'koa'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { applyAllowances } from '../allowance.ts'
import { limitOpenAnswers } from '../answers/answers.ts'
import { isHealth } from '../health.ts'
import type { LimitSettings } from './limit-settings.ts'

/** Public pages and documents without a limit of their own. */
const documents = new Set([
  '/',
  '/docs',
  '/docs/plain',
  '/docs/swagger-ui-bundle.js',
  '/docs/swagger-ui.css',
  '/docs/start.js',
  '/docs/errors',
  '/privacy',
  '/status',
  '/api/openapi.json',
  '/schemas/unique-inventory-record/0.1.json',
])

/**
 * Limits public requests by address. Counts in this process, since a count in the database would cost more than the
 * response. Pushes have a wide limit: a marketplace sends for all shops from few addresses. So do photos: a screen shows hundreds.
 * Outside of the API and the pushes, an address may have a bounded number of answers under way.
 */
export function limitOpen(settings: LimitSettings): Koa.Middleware {
  const pushes = new RateLimiterMemory({ points: settings.pushesPerMinute, duration: 60 })
  const images = new RateLimiterMemory({ points: settings.imagesPerMinute, duration: 60 })
  const pages = new RateLimiterMemory({ points: settings.documentsPerMinute, duration: 60 })
  const countOpen = limitOpenAnswers(settings.openPerAddress)
  return (ctx, next) => {
    const isPush = ctx.path.startsWith('/webhooks/')
    const isImage = ctx.path.startsWith('/images/')
    const isOwnCount = isPush || ctx.path === '/mcp' || ctx.path.startsWith('/api/v1/') || isHealth(ctx.path)
    if (!isOwnCount) countOpen(ctx, ctx.state.address)
    if (!isPush && !isImage && !documents.has(ctx.path)) return next()
    const limiter = isPush ? pushes : isImage ? images : pages
    return limiter
      .consume(ctx.state.address)
      .then(next, ({ consumedPoints: ordinal, msBeforeNext }: RateLimiterRes) => {
        // Only refusals have headers: marketplaces ignore them, and documents are cached.
        applyAllowances(ctx, [{ policy: 'address', limit: limiter.points, ordinal, secondsLeft: msBeforeNext / 1000 }])
      })
  }
}
