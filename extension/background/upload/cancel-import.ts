import type { ImportQueue, ScrapeSession } from '#extension/storage/import-queue/database.ts'
import { isCheck } from '#extension/storage/import-queue/scrapes.ts'
import type { ImportJob } from '#shared/contract/imports.ts'
import type { KeepDeps } from '../session/keep-for.ts'
import type { Session } from '../session/session.ts'
import { readCanceled, rememberCanceled } from './canceled-imports.ts'

/**
 * Gives up an import that stopped or that the server refused: what it read and did not send is gone, what the server has
 * stays. A check that stopped only goes out of sight, as its being there puts off the next one. One that goes on
 * meanwhile is left alone.
 */
export async function cancelImport(
  deps: KeepDeps & { importQueue: ImportQueue },
  session: Session,
  scrapeId: string,
): Promise<void> {
  const { importQueue } = deps
  const given = await importQueue.scrapes.get(scrapeId)
  if (!given || !canCancel(given)) return
  // Remembered first: a worker that dies here leaves the run, which is shown as long as it is there.
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

/**
 * Leaves out what was given up: jobs that no run of this browser fills any more and in which nothing is to be decided,
 * and checks that are still stopped.
 */
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
