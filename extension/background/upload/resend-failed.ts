import type { ImportQueue, ScrapeSession } from '#extension/storage/import-queue/database.ts'
import type { Client } from '#shared/client/declared-client.ts'
import { getImportJob, type ImportJob, listImportIssues } from '#shared/contract/catalog/imports.ts'
import { classifyError } from './decide-retry.ts'
import { markUnsent } from './mark-unsent.ts'

/** Page size of the failed items' list. */
const pageSize = 100

interface Deps {
  importQueue: ImportQueue
  now: () => number
}

/**
 * Makes the next import resend listings that the server failed in a closed job, even if unchanged. `failed`: their
 * number, or null to ask. If the list is unavailable, resends the whole shop. Throws errors to retry later, and resumes
 * then.
 */
export async function resendFailed(
  deps: Deps,
  call: Client,
  scrape: ScrapeSession,
  job: string,
  failed: number | null,
): Promise<void> {
  try {
    const started = scrape.failed_left?.job === job ? scrape.failed_left.pages : null
    await readBackwards(deps, call, scrape, job, started ?? pagesOf(failed ?? (await fetchFailed(call, job))))
  } catch (error) {
    const verdict = classifyError(error)
    if (verdict.kind === 'later' || verdict.kind === 'credential') throw error
    await clearShop(deps.importQueue, scrape)
  }
}

/**
 * Reads the list from last page to first, since retried items leave it and move the rest forward. Stores the page with
 * the number left.
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
      await markUnsent(
        importQueue,
        results.map(({ external_listing_id }) => `${scrape.platform}:${external_listing_id}`),
      )
      await importQueue.scrapes.update(scrape.id, { failed_left: { job, pages: left }, updated_at: now() })
    })
  }
}

async function fetchFailed(call: Client, job: string): Promise<ImportJob['items_failed']> {
  return (await call(getImportJob, { params: { uid: job } })).items_failed
}

async function clearShop(importQueue: ImportQueue, scrape: ScrapeSession): Promise<void> {
  await importQueue.listings.where({ platform: scrape.platform, shop: scrape.username }).modify({ sent_hash: null })
}

function pagesOf(count: number): number {
  return Math.ceil(count / pageSize)
}
