import { type ClaimWorker, startClaimWorker } from '#server/infra/jobs/claim-worker.ts'
import { waysIn } from '#server/infra/ways-in/ways-in.ts'
import type { Services } from '#server/services.ts'
import { claimDeliveries } from './claim-deliveries.ts'
import { type ClaimedDelivery, deliver } from './deliver.ts'
import { eventChannel } from './emit.ts'
import type { PostOptions } from './post-safely.ts'

/** Delivers events to webhook endpoints at least once, those of an item in order. */
export function startEventWorker(
  services: Services,
  options: { pollMs?: number; post?: Partial<PostOptions> } = {},
): ClaimWorker {
  const postOptions: PostOptions = { sandbox: services.config.sandbox, ...options.post }
  return startClaimWorker<ClaimedDelivery>(services, {
    name: 'webhook-deliveries',
    channel: eventChannel,
    concurrency: waysIn.webhookAnswer.atOnce.all,
    pollMs: options.pollMs,
    claim: (count) => claimDeliveries(services.db, count),
    run: (delivery, signal) => deliver(services, delivery, postOptions, signal),
  })
}
