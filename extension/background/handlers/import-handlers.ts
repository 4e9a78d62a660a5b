import type { Issue } from '#extension/messaging/protocol.ts'
import { addressesOf } from '#extension/platforms/addresses.ts'
import type { Client } from '#shared/client/declared-client.ts'
import { HapaxError } from '#shared/client/error.ts'
import type { ImportItem } from '#shared/contract/catalog/imports.ts'
import { getImportItem, importPlatform, listImportIssues } from '#shared/contract/catalog/imports.ts'
import { getInventoryItem, type InventoryItem } from '#shared/contract/catalog/inventory.ts'
import { isJobFailure } from '#shared/import-issues.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { activeSession, openCall, platformOfJob, type WorkerContext } from '../context.ts'
import { rememberJob } from '../overview/read-overview.ts'
import { recount } from '../tasks/watch.ts'
import { cancelImport } from '../upload/cancel-import.ts'
import { retryImport } from '../upload/retry-import.ts'
import { KnownError } from '../wire-error.ts'
import type { PopupHandlers } from './answer-page.ts'

type ImportHandlers = Pick<
  PopupHandlers,
  'popup.import' | 'popup.issues' | 'popup.compare' | 'popup.retryImport' | 'popup.cancelImport'
>

/** Page size of an import's issues. */
const issuesPerPage = 50

/** Handlers of imports and their issues. */
export function importHandlers(context: WorkerContext): ImportHandlers {
  return {
    async 'popup.import'({ platform }) {
      const session = await activeSession(context)
      const job = await context.clientOf(session)(importPlatform, { params: { platform } })
      await rememberJob(context, session, job)
      return job
    },

    async 'popup.issues'({ job, page }) {
      const call = await openCall(context)
      const { count, results } = await call(listImportIssues, {
        params: { uid: job },
        query: { page: String(page), page_size: String(issuesPerPage) },
      })
      const platform = await platformOfJob(context, job)
      const issues = await Promise.all(results.map((item) => withCached(context, platform, item)))
      return { count, issues }
    },

    async 'popup.compare'({ job, item: id }) {
      const call = await openCall(context)
      const { item, listing, existing_inventory_item_uid, state_now } = await call(getImportItem, {
        params: { uid: job, item_uid: id },
      })
      if (item.status !== 'conflict') throw new KnownError('not_found', 'This conflict is already resolved.')
      const mine = existing_inventory_item_uid ? await findMine(call, existing_inventory_item_uid) : null
      const now = listing && state_now ? { ...listing, state: state_now } : listing
      return { item, listing: now, since: state_now, url: listing?.url ?? null, mine }
    },

    async 'popup.retryImport'({ scrape }) {
      await retryImport({ ...context, importQueue: await context.importQueue() }, scrape)
      context.push(true)
      return null
    },

    async 'popup.cancelImport'({ scrape }) {
      const session = await activeSession(context)
      await cancelImport({ ...context, importQueue: await context.importQueue() }, session, scrape)
      await recount(context, session)
      return null
    },
  }
}

/** Returns the item in conflict, or null if it was deleted. */
async function findMine(call: Client, uid: string): Promise<InventoryItem | null> {
  try {
    return await call(getInventoryItem, { params: { uid } })
  } catch (error) {
    if (error instanceof HapaxError && error.code === 'not_found') return null
    throw error
  }
}

async function withCached(context: WorkerContext, platform: PlatformSlug | null, item: ImportItem): Promise<Issue> {
  const cached = await (await context.importQueue()).listings.get(`${platform}:${item.external_listing_id}`)
  const { external_listing_id: id } = item
  const address = isJobFailure(id) ? null : addressesOf(platform)?.listingUrl(id)
  const url = cached?.listing.url ?? address ?? null
  return { item, url, image: cached?.listing.images[0] ?? null }
}
