import { z } from 'zod'
import type { Queries } from '#server/db/index.ts'
import type { JobKind } from '#server/jobs/index.ts'
import type { Services } from '#server/services.ts'
import { ImportItemStatus } from '#shared/contract/imports.ts'
import type { JobRef } from './claim-job.ts'
import { type PreviewOrder, runPreview } from './preview.ts'
import './on-connection-change.ts'
import { type RunOptions, runImport } from './run-import.ts'
import { sweepImports } from './sweep.ts'

const queue = 'import-run'
const previewQueue = 'import-preview'

const Payload = z.object({ v: z.literal(1), user_id: z.int(), job_uid: z.string() })
type Payload = z.infer<typeof Payload>

const PreviewPayload = Payload.extend({
  generation: z.int(),
  status_filter: ImportItemStatus.nullable(),
  limit: z.int().nullable(),
})

/** Background work of imports: one message per job and slice, never per item. `step` is for tests that stop a worker. */
// biome-ignore lint/suspicious/noExplicitAny: kinds of every payload stand side by side
export function importsJobs(services: Services, options: Pick<RunOptions, 'step'> = {}): JobKind<any>[] {
  const run: JobKind<Payload> = {
    queue,
    concurrency: 4,
    unique: true,
    // A run settles its own failures; what is left is a worker that died, and that is not the job's fault.
    retryLimit: 50,
    retryDelaySeconds: 1,
    heartbeatSeconds: 10,
    expireInSeconds: 600,
    groupConcurrency: 2,
    async run(payload, signal) {
      const ref = Payload.parse(payload)
      const outcome = await runImport(services, ref, { ...options, signal })
      if (outcome.kind === 'again') await sendImportRun(services, services.db, ref, outcome.afterSeconds)
    },
  }
  const preview: JobKind<z.infer<typeof PreviewPayload>> = {
    queue: previewQueue,
    concurrency: 1,
    retryLimit: 5,
    retryDelaySeconds: 1,
    heartbeatSeconds: 10,
    expireInSeconds: 600,
    groupConcurrency: 1,
    run: (payload) => runPreview(services, PreviewPayload.parse(payload)),
  }
  const sweep: JobKind<object> = {
    queue: 'import-sweep',
    everySeconds: 60,
    unique: true,
    concurrency: 1,
    retryLimit: 2,
    retryDelaySeconds: 10,
    heartbeatSeconds: 20,
    expireInSeconds: 300,
    run: () => sweepImports(services),
  }
  return [run, preview, sweep]
}

/** Has a worker take the job, as soon as the caller's transaction is committed. At most one message waits per job. */
export async function sendImportRun(
  services: Pick<Services, 'jobs'>,
  queries: Queries,
  { user_id, job_uid }: JobRef,
  afterSeconds = 0,
): Promise<void> {
  await services.jobs.send(queries, queue, { v: 1, user_id, job_uid } satisfies Payload, {
    key: job_uid,
    group: String(user_id),
    startAfterSeconds: afterSeconds,
  })
}

/** Has a preview made, as soon as the caller's transaction is committed. */
export async function sendPreview(
  services: Pick<Services, 'jobs'>,
  queries: Queries,
  order: PreviewOrder,
  afterSeconds = 0,
): Promise<void> {
  await services.jobs.send(
    queries,
    previewQueue,
    { v: 1, ...order },
    { group: String(order.user_id), startAfterSeconds: afterSeconds },
  )
}
