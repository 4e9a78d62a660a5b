import type { Timeouts } from '#server/infra/db/index.ts'
import { type Times, usualTimes } from '#server/times.ts'

/*
 * The times of a server that tests run as a whole: a busy machine exceeds the usual ones, which have tests of their own.
 */

export const patientTimeouts: Timeouts = {
  connectionMs: 60_000,
  statementMs: 60_000,
  lockMs: 60_000,
  idleInTransactionMs: 60_000,
}

/** A client waits for a listing's outcome as long as that takes there. */
export const patientTimes: Times = { ...usualTimes, listingOutcomeMs: 120_000 }
