import { ApiError, type Client } from '#shared/contract/client.ts'
import type { ImportItem } from '#shared/contract/imports.ts'
import { getImportItem, importPlatform, listImportIssues, resolveImportItem } from '#shared/contract/imports.ts'
import { getInventoryItem, type InventoryItem } from '#shared/contract/inventory.ts'
import { completeTask, dismissTask } from '#shared/contract/tasks.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import type { Cache } from '../cache/database.ts'
import type { PopupHandlers } from '../messages/answer.ts'
import type { Issue } from '../messages/protocol.ts'
import { KnownError } from '../messages/wire-error.ts'
import { Dismissed, forgetTask, readOverview, recallOverview, rememberJob } from '../overview/read-overview.ts'
import { scrapePlatforms } from '../platforms/registry.ts'
import { alone } from '../session/keep-for.ts'
import { parseServerAddress } from '../session/server-address.ts'
import { readSession, type Session, sameAccount, writeSession } from '../session/session.ts'
import { endKey, signInByKey, signInByPassword } from '../session/sign-in.ts'
import { emptyStock } from '../stock/stock.ts'
import { tryAgain } from '../sync/try-again.ts'
import { catalogueAgesMs, refreshCatalogue } from './catalogue.ts'
import { openCall, platformOfJob, readSettings, Settings, type WorkerContext } from './context.ts'
import { openErrand } from './errand-handlers.ts'
import { stockHandlers } from './stock-handlers.ts'
import { showNeeds, watch } from './watch.ts'

/** Issues that are shown at a time. */
const issuesPerPage = 50

/** What the popup may ask. The key stays here; the popup never sees it. */
export function popupHandlers(context: WorkerContext): PopupHandlers {
  return {
    ...stockHandlers(context),

    async 'popup.overview'({ fresh }) {
      if (!fresh) return recallOverview({ ...context, cache: await context.cache() })
      context.push(true)
      await refreshCatalogue(context, catalogueAgesMs.idle)
      const overview = await readOverview({ ...context, cache: await context.cache() })
      await showNeeds(context, overview, true)
      return overview
    },

    async 'popup.signIn'({ server, email, password }) {
      const { session, tokenEnded } = await signInByPassword({ server: address(server), email, password }, context)
      await begin(context, session)
      return { tokenEnded }
    },

    async 'popup.signInByKey'({ server, key }) {
      await begin(context, await signInByKey({ server: address(server), key }, context))
      return null
    },

    async 'popup.signOut'() {
      const session = await readSession(context.store)
      // First of all here, so that no server has a say in it.
      await forgetEverything(context)
      await context.clearTraces()
      return { keyEnded: session && (await endKey(session, context.fetch)) }
    },

    async 'popup.import'({ platform }) {
      const job = await (await openCall(context))(importPlatform, { params: { platform } })
      await rememberJob(context.store, job)
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
      const { item, listing, existing_inventory_item_uid } = await call(getImportItem, {
        params: { uid: job, item_uid: id },
      })
      if (item.status !== 'conflict') throw new KnownError('not_found', 'This was decided already.')
      const mine = existing_inventory_item_uid ? await findMine(call, existing_inventory_item_uid) : null
      return { item, listing, url: listing?.url ?? null, mine }
    },

    async 'popup.resolve'({ job, item, ...body }) {
      return (await openCall(context))(resolveImportItem, { params: { uid: job, item_uid: item }, body })
    },

    async 'popup.tryAgain'({ run }) {
      await tryAgain(await context.cache(), run, context.now())
      context.push(true)
      return null
    },

    async 'popup.dismiss'({ id }) {
      const dismissed = Dismissed.parse(await context.store.get('dismissed'))
      await context.store.set('dismissed', [...dismissed.filter((one) => one !== id), id].slice(-200))
      return null
    },

    async 'popup.settings'({ change }) {
      const settings = Settings.parse({ ...(await readSettings(context.store)), ...change })
      if (change) await context.store.set('settings', settings)
      return settings
    },

    'popup.openTask': ({ uid }) => openErrand(context, uid),

    async 'popup.finishTask'({ uid, how }) {
      const call = await openCall(context)
      const task =
        how === 'done'
          ? await call(completeTask, { params: { uid }, body: {} })
          : await call(dismissTask, { params: { uid } })
      await forgetTask({ ...context, cache: await context.cache() }, uid)
      await watch(context, true)
      return task
    },
  }
}

function address(text: string): string {
  const server = parseServerAddress(text)
  if (!server) throw new KnownError('bad_address', 'This is no address of a server: https is needed.')
  return server
}

/** Keeps the session; what was collected for another account is not sent to this one. */
async function begin(context: WorkerContext, session: Session): Promise<void> {
  const before = await readSession(context.store)
  if (before && !sameAccount(before, session)) await forgetEverything(context)
  await alone(context, async () => {
    await context.store.set('sync', null)
    await writeSession(context.store, session)
  })
  context.sessionChanged()
  context.push(true)
  context.keepWatch()
}

/** Leaves nothing of the session here. What is under way for it is given up first: a server that hangs delays nothing. */
async function forgetEverything(context: WorkerContext): Promise<void> {
  await alone(context, () => context.store.clear())
  context.sessionChanged()
  // After what is under way, which would fill them again.
  await context.locks.request('hapax-sync', async () => emptyCache(await context.cache()))
  await context.locks.request('hapax-stock', async () => emptyStock(await context.stock()))
}

async function emptyCache(cache: Cache): Promise<void> {
  await cache.transaction('rw', cache.tables, async () => {
    for (const table of cache.tables) await table.clear()
  })
}

/** The item that a listing is in conflict with; null when it was deleted since. */
async function findMine(call: Client, uid: string): Promise<InventoryItem | null> {
  try {
    return await call(getInventoryItem, { params: { uid } })
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return null
    throw error
  }
}

async function withCached(context: WorkerContext, platform: PlatformSlug | null, item: ImportItem): Promise<Issue> {
  const cached = await (await context.cache()).listings.get(`${platform}:${item.external_listing_id}`)
  const readable = scrapePlatforms.find((one) => one.slug === platform)
  const url = cached?.listing.url ?? readable?.listingUrl(item.external_listing_id) ?? null
  return { item, url, image: cached?.listing.images[0] ?? null }
}
