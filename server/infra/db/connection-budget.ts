import { availableParallelism } from 'node:os'
import type { Config } from '#server/config.ts'
import { type Queries, workTimeouts } from './index.ts'

/** The job queue's pool. */
export const jobConnections = 5
/** Connections that only listen: events, listing operations, deliveries, and the job queue. */
const listeners = 4
/**
 * Connections for background work: more than PostgreSQL and the process can use at once cost processor time, since each
 * plans its statements anew. No more than an untuned PostgreSQL has room for, and enough that a slow one is not the only one.
 */
const workByCores = Math.min(20, Math.max(6, 3 * availableParallelism()))
/** Connections in a pool that the process's role hardly uses. */
const spare = 4

interface ConnectionBudget {
  /** For requests. */
  requests: number
  /** For background work. */
  work: number
  /** All connections that this process may open. */
  total: number
}

/** Returns the connections of a process by its role: a worker needs few for requests, an API process few for work. */
export function connectionBudget({
  ROLE,
  DATABASE_POOL,
  DATABASE_WORK_POOL = workByCores,
}: Pick<Config, 'ROLE' | 'DATABASE_POOL' | 'DATABASE_WORK_POOL'>): ConnectionBudget {
  const requests = ROLE === 'worker' ? Math.min(spare, DATABASE_POOL) : DATABASE_POOL
  const work = ROLE === 'api' ? Math.min(spare, DATABASE_WORK_POOL) : DATABASE_WORK_POOL
  return { requests, work, total: requests + work + jobConnections + listeners }
}

/**
 * Compares the budget with PostgreSQL's limits. Throws if it can never be met; returns a warning if it cannot be met
 * beside the connections open now, else null.
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

/**
 * Throws behind a pooler such as PgBouncer, which drops the timeouts of each connection. In transaction mode it would also
 * break prepared statements and listeners, one by one after the start.
 */
export async function refusePooler(queries: Queries): Promise<void> {
  const { kept } = await queries.one<{ kept: number }>(
    "select setting::integer as kept from pg_settings where name = 'lock_timeout'",
  )
  if (kept !== workTimeouts.lockMs) throw new Error(poolerRefusal)
}

/** Returns whether a pooler refused a connection because of its timeouts. */
export function isPoolersRefusal(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('unsupported startup parameter')
}

export const poolerRefusal =
  'DATABASE_URL leads to a connection pooler such as PgBouncer, which Hapax cannot use. Set DATABASE_DIRECT_URL to the address of PostgreSQL itself; DATABASE_POOL and DATABASE_WORK_POOL bound the connections.'
