import type { Issue } from '#extension/messaging/protocol.ts'
import { parseServerAddress } from '#extension/messaging/server-address.ts'
import { Settings } from '#extension/messaging/settings.ts'
import { scrapePlatforms } from '#extension/platforms/registry.ts'
import type { Client } from '#shared/client/declared-client.ts'
import { HapaxError } from '#shared/client/error.ts'
import { disconnectSellerAccount, startConnection } from '#shared/contract/connections.ts'
import type { ImportItem } from '#shared/contract/imports.ts'
import { getImportItem, importPlatform, listImportIssues, resolveImportItem } from '#shared/contract/imports.ts'
import { getInventoryItem, type InventoryItem } from '#shared/contract/inventory.ts'
import { completeTask, dismissTask } from '#shared/contract/tasks.ts'
import { isJobFailure } from '#shared/import-issues.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { catalogueAgesMs, refreshCatalogue } from '../catalogue.ts'
import { activeSession, openCall, platformOfJob, readSettings, type WorkerContext } from '../context.ts'
import {
  Dismissed,
  dismissAlert,
  recallOverview,
  rememberJob,
  removeTask,
  retryAlert,
} from '../overview/read-overview.ts'
import { signIn, signOut } from '../session/account.ts'
import { signInByKey, signInByPassword, signInBySecondFactor } from '../session/sign-in.ts'
import { storeForSession } from '../session/store-for-session.ts'
import { look, recount, rememberShown } from '../tasks/watch.ts'
import { cancelImport } from '../upload/cancel-import.ts'
import { retryImport } from '../upload/retry-import.ts'
import { KnownError } from '../wire-error.ts'
import type { PopupHandlers } from './answer.ts'
import { changeHandlers } from './change-handlers.ts'
import { choiceHandlers } from './choice-handlers.ts'
import { conflictHandlers } from './conflict-handlers.ts'
import { differenceHandlers } from './difference-handlers.ts'
import { fileHandlers } from './file-handlers.ts'
import { inventoryHandlers } from './inventory-handlers.ts'
import { photoHandlers } from './photo-handlers.ts'
import { priceHandlers } from './price-handlers.ts'
import { salesHandlers } from './sales-handlers.ts'
import { openTabTask } from './tab-task-handlers.ts'

/** Page size of an import's issues. */
const issuesPerPage = 50

/** Handlers for extension pages. The API key never leaves the worker. */
export function popupHandlers(context: WorkerContext): PopupHandlers {
  return {
    ...inventoryHandlers(context),
    ...choiceHandlers(context),
    ...salesHandlers(context),
    ...conflictHandlers(context),
    ...changeHandlers(context),
    ...fileHandlers(context),
    ...differenceHandlers(context),
    ...priceHandlers(context),
    ...photoHandlers(context),

    async 'popup.overview'({ fresh }) {
      if (!fresh) return recallOverview({ ...context, importQueue: await context.importQueue() })
      context.push(true)
      await refreshCatalogue(context, catalogueAgesMs.idle)
      return look(context, false)
    },

    async 'popup.signIn'({ server, email, password }) {
      try {
        const { session, tokenEnded } = await signInByPassword({ server: address(server), email, password }, context)
        await signIn(context, session)
        return { tokenEnded }
      } catch (error) {
        if (error instanceof HapaxError && error.signinToken !== null) return { signin_token: error.signinToken }
        throw error
      }
    },

    async 'popup.secondStep'({ server, signin_token, code }) {
      const { session, tokenEnded } = await signInBySecondFactor(
        { server: address(server), signin_token, code },
        context,
      )
      await signIn(context, session)
      return { tokenEnded }
    },

    async 'popup.signInByKey'({ server, key }) {
      await signIn(context, await signInByKey({ server: address(server), key }, context))
      return null
    },

    async 'popup.signOut'() {
      return { keyEnded: await signOut(context) }
    },

    async 'popup.import'({ platform }) {
      const session = await activeSession(context)
      const job = await context.clientOf(session)(importPlatform, { params: { platform } })
      await rememberJob(context, session, job)
      return job
    },

    async 'popup.connect'({ platform: slug }) {
      const { connection_url } = await (await openCall(context))(startConnection, { params: { slug } })
      return { url: connection_url }
    },

    async 'popup.disconnect'({ shop }) {
      await (await openCall(context))(disconnectSellerAccount, { params: { uid: shop } })
      return null
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

    async 'popup.resolve'({ job, item, ...body }) {
      return (await openCall(context))(resolveImportItem, { params: { uid: job, item_uid: item }, body })
    },

    async 'popup.retryImport'({ scrape }) {
      await retryImport(await context.importQueue(), scrape, context.now())
      context.push(true)
      return null
    },

    async 'popup.cancelImport'({ scrape }) {
      const session = await activeSession(context)
      await cancelImport({ ...context, importQueue: await context.importQueue() }, session, scrape)
      await recount(context, session)
      return null
    },

    async 'popup.dismiss'({ id }) {
      const session = await activeSession(context)
      const dismissed = Dismissed.parse(await context.store.get('dismissed'))
      await storeForSession(context, session, 'dismissed', [...dismissed.filter((one) => one !== id), id].slice(-200))
      return null
    },

    async 'popup.settings'({ change }) {
      const session = change && (await activeSession(context))
      const settings = Settings.parse({ ...(await readSettings(context.store)), ...change })
      if (session) await storeForSession(context, session, 'settings', settings)
      return settings
    },

    async 'popup.shown'({ uids }) {
      await rememberShown(context, uids)
      return null
    },

    'popup.openTask': ({ uid }) => openTabTask(context, uid),

    async 'popup.dismissAlert'({ uid }) {
      const session = await activeSession(context)
      await dismissAlert(context, session, uid)
      await recount(context, session)
      return null
    },

    async 'popup.retryAlert'({ uid }) {
      await retryAlert(context, await activeSession(context), uid)
      return null
    },

    async 'popup.finishTask'({ uid, how }) {
      const session = await activeSession(context)
      const call = context.clientOf(session)
      const task =
        how === 'done'
          ? await call(completeTask, { params: { uid }, body: {} })
          : await call(dismissTask, { params: { uid } })
      await removeTask({ ...context, importQueue: await context.importQueue() }, session, uid)
      await look(context, false)
      return task
    },
  }
}

function address(text: string): string {
  const server = parseServerAddress(text)
  if (!server) throw new KnownError('bad_address', 'Enter a server address that starts with https.')
  return server
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
  const readable = scrapePlatforms.find((one) => one.slug === platform)
  const address = isJobFailure(item.external_listing_id) ? null : readable?.listingUrl(item.external_listing_id)
  const url = cached?.listing.url ?? address ?? null
  return { item, url, image: cached?.listing.images[0] ?? null }
}
