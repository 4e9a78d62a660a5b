import type { ImportQueue } from '#extension/storage/import-queue/database.ts'
import type { WorkerContext } from '../context.ts'

/** Retries an import that the server refused. Opens a new job and resumes reading; nothing that was read is lost. */
export async function retryImport(
  { importQueue, readerOf, now }: Pick<WorkerContext, 'readerOf' | 'now'> & { importQueue: ImportQueue },
  scrapeId: string,
): Promise<void> {
  await importQueue.transaction('rw', importQueue.scrapes, async () => {
    const scrape = await importQueue.scrapes.get(scrapeId)
    if (scrape?.state !== 'refused') return
    const unread = readerOf(scrape.platform)?.nextRequest(scrape.cursor) ?? null
    await importQueue.scrapes.update(scrapeId, {
      state: unread ? 'reading' : 'read',
      refusal: null,
      job: null,
      updated_at: now(),
    })
  })
}
