import { type ClaimWorker, startClaimWorker } from '#server/infra/jobs/claim-worker.ts'
import { waysIn } from '#server/infra/ways-in/ways-in.ts'
import type { Services } from '#server/services.ts'
import { type ClaimedNotice, claimNotices } from './claim-notices.ts'
import { pushChannel } from './queue-push.ts'
import { type PushOptions, sendPush } from './send-push.ts'

/** Sends notifications to browsers' push services. */
export function startPushWorker(
  services: Services,
  { pollMs, ...options }: { pollMs?: number } & PushOptions = {},
): ClaimWorker {
  return startClaimWorker<ClaimedNotice>(services, {
    name: 'web-push',
    channel: pushChannel,
    concurrency: waysIn.pushAnswer.atOnce.all,
    pollMs,
    claim: (count) => claimNotices(services.db, count),
    run: (notice, signal) => sendPush(services, notice, signal, options),
  })
}
