import { z } from 'zod'
import type { Queries } from '#server/infra/db/index.ts'
import type { Services } from '#server/services.ts'
import { ImportItemStatus } from '#shared/contract/catalog/imports.ts'
import type { JobRef } from './claim-job.ts'

/** Names of the import queues. */
export const runQueue = 'import-run'
export const previewQueue = 'import-preview'

export const Payload = z.object({ v: z.literal(1), user_id: z.int(), job_uid: z.string() })
export type Payload = z.infer<typeof Payload>

export const PreviewPayload = Payload.extend({
  generation: z.int(),
  status_filter: ImportItemStatus.nullable(),
  limit: z.int().nullable(),
})
export type PreviewPayload = z.infer<typeof PreviewPayload>
export type PreviewOrder = Omit<PreviewPayload, 'v'>

/** Queues a run of the job when the caller's transaction commits. At most one message waits per job. */
export async function sendImportRun(
  services: Pick<Services, 'jobs'>,
  queries: Queries,
  { user_id, job_uid }: JobRef,
  afterSeconds = 0,
): Promise<void> {
  await services.jobs.send(queries, runQueue, { v: 1, user_id, job_uid } satisfies Payload, {
    key: job_uid,
    group: String(user_id),
    startAfterSeconds: afterSeconds,
  })
}

/** Queues a preview when the caller's transaction commits. */
export async function sendPreview(
  services: Pick<Services, 'jobs'>,
  queries: Queries,
  order: PreviewOrder,
  afterSeconds = 0,
): Promise<void> {
  await services.jobs.send(queries, previewQueue, { v: 1, ...order } satisfies PreviewPayload, {
    group: String(order.user_id),
    startAfterSeconds: afterSeconds,
  })
}
