import type { Logger } from 'pino'

/** Another worker has the lease, or the work is over. The holder must stop and write nothing more. */
export class LeaseLostError extends Error {
  override name = 'LeaseLostError'
}

/**
 * Returns the row of a statement that names the caller's lease, which is none after another worker took `work`. Throws
 * LeaseLostError then.
 */
export async function underLease<Row>(work: string, statement: Promise<Row | null>): Promise<Row> {
  const row = await statement
  if (!row) throw new LeaseLostError(`the lease of ${work} is lost`)
  return row
}

/**
 * Calls `renew` every `everyMs` until `release`. `lost` aborts once it throws LeaseLostError, so that no more calls are
 * spent on work that another worker has. Other errors are logged: writes name the lease, so a late renewal is harmless.
 */
export function holdLease(
  { log }: { log: Logger },
  { work, everyMs, renew }: { work: string; everyMs: number; renew: () => Promise<unknown> },
): { lost: AbortSignal; release: () => void } {
  const lost = new AbortController()
  const heartbeat = setInterval(() => {
    renew().catch((error: unknown) => {
      if (error instanceof LeaseLostError) lost.abort(error)
      else log.warn({ err: error, work }, 'a lease could not be renewed')
    })
  }, everyMs)
  return { lost: lost.signal, release: () => clearInterval(heartbeat) }
}
