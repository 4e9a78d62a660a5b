import type { ImportQueue, ScrapeSession } from '#extension/storage/import-queue/database.ts'
import { isCheck } from '#extension/storage/import-queue/scrapes.ts'
import type { ImportJob } from '#shared/contract/catalog/imports.ts'
import type { Session } from '../session/session.ts'
import type { KeepDeps } from '../session/store-for-session.ts'
import { readCanceled, rememberCanceled } from './canceled-imports.ts'

/**
 * Cancels an import that stopped or was refused, and deletes its unsent listings. A stopped check is only hidden, since
 * its presence delays the next one. Does nothing if the import has resumed.
 */
export async function cancelImport(
  deps: KeepDeps & { importQueue: ImportQueue },
  session: Session,
  scrapeId: string,
): Promise<void> {
  const { importQueue } = deps
  const given = await importQueue.scrapes.get(scrapeId)
  if (!given || !canCancel(given)) return
  // Remember first: if the worker dies here, the scrape remains and is shown.
  await rememberCanceled(deps, session, given.job ?? given.id)
  if (isCheck(given)) return
  await importQueue.transaction('rw', importQueue.scrapes, importQueue.outbox, importQueue.seen, async () => {
    const scrape = await importQueue.scrapes.get(scrapeId)
    if (!scrape || !canCancel(scrape)) return
    await importQueue.outbox.where({ scrape_id: scrapeId }).delete()
    await importQueue.seen.where({ scrape_id: scrapeId }).delete()
    await importQueue.scrapes.delete(scrapeId)
  })
}

/** Filters canceled jobs without open conflicts that no scrape fills, and checks that are still stopped. */
export async function withoutCanceled(
  { store }: Pick<KeepDeps, 'store'>,
  jobs: readonly ImportJob[],
  scrapes: readonly ScrapeSession[],
): Promise<{ jobs: ImportJob[]; scrapes: ScrapeSession[] }> {
  const canceled = new Set(await readCanceled(store))
  const filled = new Set(scrapes.map((scrape) => scrape.job))
  return {
    jobs: jobs.filter(({ id, items_conflicted }) => !canceled.has(id) || filled.has(id) || items_conflicted > 0),
    scrapes: scrapes.filter((scrape) => !(isCheck(scrape) && canceled.has(scrape.id))),
  }
}

function canCancel({ state }: ScrapeSession): boolean {
  return state === 'stopped' || state === 'refused'
}
