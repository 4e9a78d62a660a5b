import type Koa from 'koa'
import type { Database } from '#server/infra/db/index.ts'
import { problem } from '#server/infra/errors.ts'
import type { LimitSettings } from './limit-settings.ts'

/** Answers 503 at once while too many queries wait for a connection to the database. */
export function shedLoad({ db, limits }: { db: Database; limits: LimitSettings }): Koa.Middleware {
  const pool: { waitingCount: number } = db.$pool
  return (_ctx, next) => {
    if (pool.waitingCount >= limits.waitingForDatabase)
      throw problem('unavailable', undefined, { retryAfterSeconds: 2 })
    return next()
  }
}
