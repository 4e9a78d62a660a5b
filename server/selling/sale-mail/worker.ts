import { claimByUser } from '#server/infra/jobs/claim-by-user.ts'
import { type ClaimWorker, startClaimWorker } from '#server/infra/jobs/claim-worker.ts'
import type { Services } from '#server/services.ts'
import * as sql from './queries.ts'
import { mailboxChannel } from './ways-in/mailbox.ts'
import { type ClaimedMailbox, mailboxLeaseSeconds, watchMailbox } from './ways-in/watch-mailbox.ts'

/** Starts watching mailboxes, each over one connection under a lease. */
export function startMailboxWorker(services: Services, { pollMs = 5_000 } = {}): ClaimWorker {
  return startClaimWorker<ClaimedMailbox>(services, {
    name: 'sale-mailboxes',
    channel: mailboxChannel,
    // Connections mostly wait.
    concurrency: 500,
    claimAtMost: 20,
    pollMs,
    claim: (count) =>
      claimByUser(
        () => services.db.any(sql.listDueMailboxes({ count })),
        (user_id) => services.db.any(sql.claimMailbox({ user_id, lease_seconds: mailboxLeaseSeconds })),
      ),
    run: (mailbox, signal) => watchMailbox(services, mailbox, signal),
  })
}
