import { sql } from '#server/db/index.ts'
import { prepared, single } from '#server/db/prepared.ts'
import { type ClaimWorker, startClaimWorker } from '#server/jobs/claim-worker.ts'
import type { Services } from '#server/services.ts'
import { type ClaimedDelivery, deliver } from './deliver.ts'
import { eventChannel } from './emit.ts'
import type { PostOptions } from './post.ts'

const claimDeliveries = prepared(sql(import.meta.url, './sql/claim-deliveries.sql'))

/** Deliveries of one endpoint at once. */
const atOnce = 4
/** Longer than any attempt. */
const leaseSeconds = 30

/** Sends events to webhook endpoints: at least once, those of an item in their order. */
export function startEventWorker(
  services: Services,
  options: { pollMs?: number; post?: Partial<PostOptions> } = {},
): ClaimWorker {
  const postOptions: PostOptions = { sandbox: services.config.sandbox, ...options.post }
  return startClaimWorker<ClaimedDelivery>(services, {
    name: 'webhook-deliveries',
    channel: eventChannel,
    concurrency: 16,
    pollMs: options.pollMs ?? 1_000,
    claim: (count) => services.db.any(single(claimDeliveries, { count, at_once: atOnce, lease_seconds: leaseSeconds })),
    run: (delivery, signal) => deliver(services, delivery, postOptions, signal),
  })
}
