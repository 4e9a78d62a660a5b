import { requestTimeouts } from '#server/infra/db/index.ts'
import { usualTimes } from '#server/times.ts'

/*
 * Raises the request timeouts of a server that tests run as a whole, because a busy machine would exceed
 * them. The timeouts have tests of their own.
 */
Object.assign(requestTimeouts, {
  connectionMs: 60_000,
  statementMs: 60_000,
  lockMs: 60_000,
  idleInTransactionMs: 60_000,
})
// And a client waits for a listing's outcome as long as that takes there.
usualTimes.listingOutcomeMs = 120_000
