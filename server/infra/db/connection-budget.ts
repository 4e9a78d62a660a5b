import type { Config } from '#server/config.ts'
import type { Queries } from './index.ts'

/** Of the job queue's pool. */
export const jobConnections = 5
/** Connections that only listen: for events, for listing operations, for deliveries, and the job queue's. */
const listeners = 4
/** Connections a process keeps in the pool that its role hardly uses. */
const spare = 4

export interface ConnectionBudget {
  /** For requests. */
  requests: number
  /** For background work. */
  work: number
  /** All that this process opens at most. */
  total: number
}

/** How many connections a process opens at most: one that answers no requests needs few for them, and the other way round. */
export function connectionBudget({
  ROLE,
  DATABASE_POOL,
  DATABASE_WORK_POOL,
}: Pick<Config, 'ROLE' | 'DATABASE_POOL' | 'DATABASE_WORK_POOL'>): ConnectionBudget {
  const requests = ROLE === 'worker' ? Math.min(spare, DATABASE_POOL) : DATABASE_POOL
  const work = ROLE === 'api' ? Math.min(spare, DATABASE_WORK_POOL) : DATABASE_WORK_POOL
  return { requests, work, total: requests + work + jobConnections + listeners }
}

/**
 * Compares what this process may open with what PostgreSQL takes. Throws where it could never have them all; answers a
 * sentence where it could not have them beside those that are open now, else null.
 */
export async function checkConnections(queries: Queries, { total }: ConnectionBudget): Promise<string | null> {
  const { most, used } = await queries.one<{ most: number; used: number }>(
    `select current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer as most,
      (select count(*)::integer from pg_stat_activity where backend_type = 'client backend') as used`,
  )
  const advice = 'Raise max_connections, or set DATABASE_POOL and DATABASE_WORK_POOL lower.'
  if (total > most) {
    throw new Error(`This process opens up to ${total} connections, and PostgreSQL takes ${most} in all. ${advice}`)
  }
  if (total + used <= most) return null
  return `This process opens up to ${total} connections; PostgreSQL takes ${most}, of which ${used} are in use. ${advice}`
}
