import { setTimeout as delay } from 'node:timers/promises'
import { isTimeout, type Timeouts, workTimeouts } from './index.ts'

/** How a step of the start waits. */
export interface Waiting {
  /** Called with the reason when the step must wait. */
  onWait?: (reason: string) => void
  /** Ends the wait. */
  signal?: AbortSignal
}

/** A busy machine may need long for its first connection, and a migration of a large table may take hours. */
export const patientTimeouts: Timeouts = { ...workTimeouts, connectionMs: 60_000, statementMs: 0 }

/** How long a start waits for a database that is there and does not answer yet, in ms. */
const longestWaitMs = 300_000

/**
 * Runs a step of the start again while the database recovers or is too busy to answer in time. The step must be safe to
 * repeat. Throws its last error after five minutes, and other errors, such as a refused connection, at once.
 */
export async function retryWhileStarting<Result>(
  step: () => Promise<Result>,
  { onWait = () => {}, signal }: Waiting = {},
): Promise<Result> {
  const endMs = performance.now() + longestWaitMs
  for (let attempt = 0; ; attempt++) {
    try {
      return await step()
    } catch (error) {
      signal?.throwIfAborted()
      if (!isStarting(error) || performance.now() > endMs) throw error
      if (attempt === 0) onWait(`the database does not answer yet (${(error as Error).message})`)
      await delay(500, undefined, { signal })
    }
  }
}

/** Returns whether a database is there but recovers (57P03), has no free connection (53300) or is late. */
function isStarting(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string }
  return (
    code === '57P03' ||
    code === '53300' ||
    isTimeout(error) ||
    /timeout expired|due to connection timeout|timeout exceeded when trying to connect/.test(message ?? '')
  )
}
