import { scrapePlatformOf } from '#extension/platforms/registry.ts'
import type { Cache } from '#extension/storage/import-queue/database.ts'

/**
 * Takes up a run that the server refused: nothing that was read is lost, a new job is opened for it. Reading goes on
 * where it stood.
 */
export async function tryAgain(cache: Cache, runId: string, now: number): Promise<void> {
  await cache.transaction('rw', cache.runs, async () => {
    const run = await cache.runs.get(runId)
    if (run?.state !== 'refused') return
    const unread = scrapePlatformOf(run.platform)?.nextRequest(run.cursor) ?? null
    await cache.runs.update(runId, {
      state: unread ? 'reading' : 'read',
      refusal: null,
      job: null,
      updated_at: now,
    })
  })
}
