import { claimByUser } from '#server/infra/jobs/claim-by-user.ts'
import { type ClaimWorker, startClaimWorker } from '#server/infra/jobs/claim-worker.ts'
import { waysIn } from '#server/infra/ways-in/ways-in.ts'
import type { Services } from '#server/services.ts'
import * as sql from './queries.ts'
import { createIdlePlaces } from './ways-in/idle-places.ts'
import { mailboxChannel } from './ways-in/mailbox.ts'
import { type ClaimedMailbox, mailboxLeaseSeconds, watchMailbox } from './ways-in/watch-mailbox.ts'

interface MailboxWorkerOptions {
  pollMs?: number
  /** Mailboxes that are connected at once, and those of them that may wait for news. The others read. */
  places?: { all: number; idle: number }
}

/** Starts reading mailboxes, each over one connection under a lease. */
export function startMailboxWorker(
  services: Services,
  { pollMs, places = { all: waysIn.imap.atOnce.all, idle: 300 } }: MailboxWorkerOptions = {},
): ClaimWorker {
  const idlePlaces = createIdlePlaces(places.idle)
  return startClaimWorker<ClaimedMailbox>(services, {
    name: 'sale-mailboxes',
    channel: mailboxChannel,
    concurrency: places.all,
    claimAtMost: 20,
    pollMs,
    claim: (count) =>
      claimByUser(
        () => services.db.any(sql.listDueMailboxes({ count })),
        (user_id) => services.db.any(sql.claimMailbox({ user_id, lease_seconds: mailboxLeaseSeconds })),
      ),
    run: (mailbox, signal) => watchMailbox(services, mailbox, signal, idlePlaces),
  })
}
