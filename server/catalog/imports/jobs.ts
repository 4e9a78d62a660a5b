import { dueWork } from '#server/infra/jobs/due-work.ts'
import type { JobKind } from '#server/infra/jobs/index.ts'
import type { Services } from '#server/services.ts'
import { comparePhotos } from './deciding/compare-photos.ts'
import { runPreview } from './deciding/preview.ts'
import { readUnreadDetails } from './discovery/unread-details.ts'
import { Payload, PreviewPayload, previewQueue, runQueue, sendImportRun } from './jobs/queue.ts'
import { sweepImports } from './jobs/sweep.ts'
import { runImport } from './run-import.ts'

/** Background work of imports: one message per job and slice, never per item. */
// biome-ignore lint/suspicious/noExplicitAny: kinds of every payload stand side by side
export function importsJobs(services: Services): JobKind<any>[] {
  const run: JobKind<Payload> = {
    queue: runQueue,
    concurrency: 4,
    unique: true,
    // A run settles its own failures. Only a dead worker is left to retry, which is not the job's fault.
    retryLimit: 50,
    retryDelaySeconds: 1,
    heartbeatSeconds: 10,
    expireInSeconds: 600,
    groupConcurrency: 2,
    async run(payload, signal) {
      const ref = Payload.parse(payload)
      // The remaining disk space is for sales and delisting.
      if (services.disk?.isLow()) return sendImportRun(services, services.db, ref, 2)
      const outcome = await runImport(services, ref, { signal })
      if (outcome.kind === 'again') await sendImportRun(services, services.db, ref, outcome.afterSeconds)
    },
  }
  const preview: JobKind<PreviewPayload> = {
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
  const details = dueWork('import-details', (signal) => readUnreadDetails(services, signal))
  const photos = dueWork('compare-photos', (signal) => comparePhotos(services, signal), { everySeconds: 5 })
  return [run, preview, sweep, details, photos]
}
