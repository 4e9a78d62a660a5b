import type { ImportQueue, ScrapeSession } from '#extension/storage/import-queue/database.ts'
import type { Client } from '#shared/contract/client.ts'
import { getImportJob, type ImportJob, listImportIssues } from '#shared/contract/imports.ts'
import { classifyError } from './decide-retry.ts'
import { forgetSent } from './forget-sent.ts'

/** As many of the failed listings as the server gives at once. */
const pageSize = 100

interface Deps {
  importQueue: ImportQueue
  now: () => number
}

/**
 * Has the next import send what the server failed in a job that is over: it may go well another time although it will not
 * have changed. `failed` is how many did, as the job said; null: it is asked. Where the list cannot be had, everything of
 * the shop is sent once more: better twice than never. Throws what is to be tried later, and then goes on where it was.
 */
export async function forgetFailed(
  deps: Deps,
  call: Client,
  scrape: ScrapeSession,
  job: string,
  failed: number | null,
): Promise<void> {
  try {
    const started = scrape.failed_left?.job === job ? scrape.failed_left.pages : null
    await readBackwards(deps, call, scrape, job, started ?? pagesOf(failed ?? (await askFailed(call, job))))
  } catch (error) {
    const verdict = classifyError(error)
    if (verdict.kind === 'later' || verdict.kind === 'credential') throw error
    await forgetShop(deps.importQueue, scrape)
  }
}

/**
 * Reads the list from its last page to its first: what leaves it meanwhile (the seller has failed ones tried again) moves
 * the rest to the front, where it is still to be read. A page and how many are left are noted together.
 */
async function readBackwards(
  deps: Deps,
  call: Client,
  scrape: ScrapeSession,
  job: string,
  pages: number,
): Promise<void> {
  const { importQueue, now } = deps
  let left = pages
  while (left > 0) {
    const { count, results } = await call(listImportIssues, {
      params: { uid: job },
      query: { status: 'failed', page: String(left), page_size: String(pageSize) },
    })
    left = Math.min(left - 1, pagesOf(count))
    await importQueue.transaction('rw', importQueue.listings, importQueue.scrapes, async () => {
      await forgetSent(
        importQueue,
        results.map(({ external_listing_id }) => `${scrape.platform}:${external_listing_id}`),
      )
      await importQueue.scrapes.update(scrape.id, { failed_left: { job, pages: left }, updated_at: now() })
    })
  }
}

async function askFailed(call: Client, job: string): Promise<ImportJob['items_failed']> {
  return (await call(getImportJob, { params: { uid: job } })).items_failed
}

async function forgetShop(importQueue: ImportQueue, scrape: ScrapeSession): Promise<void> {
  await importQueue.listings.where({ platform: scrape.platform, shop: scrape.username }).modify({ sent_hash: null })
}

function pagesOf(count: number): number {
  return Math.ceil(count / pageSize)
}
