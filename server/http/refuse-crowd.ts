import type Koa from 'koa'
import type { Database } from '#server/infra/db/index.ts'
import { problem } from '#server/infra/errors.ts'
import type { LimitSettings } from './limit-settings.ts'

/**
 * Answers 503 at once where as many requests wait for a connection to the database as may: who comes when
 * nobody gets through is told so, and the line in memory stays short.
 */
export function refuseCrowd({ db, limits }: { db: Database; limits: LimitSettings }): Koa.Middleware {
  const pool: { waitingCount: number } = db.$pool
  return (_ctx, next) => {
    if (pool.waitingCount >= limits.waitingForDatabase)
      throw problem('unavailable', undefined, { retryAfterSeconds: 2 })
    return next()
  }
}
