import { withShopAccess } from '#server/connections/with-shop-access.ts'
import { sql } from '#server/db/index.ts'
import type { ListingPage } from '#server/platforms/port.ts'
import type { Services } from '#server/services.ts'
import { admitListing } from './admit-listing.ts'
import { type ClaimedJob, holdLease } from './claim-job.ts'
import type { Step } from './run-import.ts'
import { storeFound } from './store-found.ts'

const notePage = sql(import.meta.url, './sql/note-page.sql')

/**
 * Reads the next page of the shop and stores it: its listings, and where the next page begins, in one transaction. A
 * worker that dies in between reads the same page again, and nothing is stored twice. Answers the job as it is then.
 */
export async function discoverPage(
  services: Services,
  job: ClaimedJob,
  step: Step,
  signal?: AbortSignal,
): Promise<ClaimedJob> {
  const page = await readPage(services, job, signal)
  await step('discover:page-read')
  const observedAt = services.now().toISOString()
  const found = [...page.listings, ...page.failures].map(admitListing)
  await services.db.tx('discover-page', async (tx) => {
    await holdLease(tx, job)
    const stored = await storeFound(tx, job, found, observedAt)
    await step('discover:listings-inserted')
    await tx.none(notePage, {
      ...job,
      cursor: page.nextCursor,
      discovery_done: page.nextCursor === null,
      total: page.total,
      stored,
    })
    await step('discover:cursor-moved')
  })
  await step('discover:page-stored')
  return { ...job, cursor: page.nextCursor, discovery_done: page.nextCursor === null, deaths: 0, failures: 0 }
}

function readPage(services: Services, job: ClaimedJob, signal?: AbortSignal): Promise<ListingPage> {
  return withShopAccess(
    services,
    job,
    (access, adapter) => adapter.imports.readPage(access, { states: job.states, cursor: job.cursor }),
    signal,
  )
}
