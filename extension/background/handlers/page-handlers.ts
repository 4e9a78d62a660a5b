import type { PageTask, PageView } from '#extension/messaging/page-view.ts'
import type { PageContext, Shop } from '#extension/platforms/port.ts'
import type { ImportQueue, ScrapeSession } from '#extension/storage/import-queue/database.ts'
import { findCheck, findImport, isUnfinished, newScrape } from '#extension/storage/import-queue/scrapes.ts'
import { heldListings } from '#extension/storage/inventory-cache/held-listings.ts'
import { catalogueAgesMs, isReadingOff, refreshCatalogue } from '../catalogue.ts'
import { readCheckEveryMs, readPaceMs, type WorkerContext } from '../context.ts'
import { Seen } from '../overview/platform-health.ts'
import { beginDueCheck, nextCheckInMs, type Visit } from '../scraping/check.ts'
import { decideShow, mayDrive, paceMs } from '../scraping/decide-show.ts'
import { continueScrape, stopScrape, storeAnswer } from '../scraping/store-answer.ts'
import { readSession } from '../session/session.ts'
import { storeForSession, whileIn } from '../session/store-for-session.ts'
import { retryImport } from '../upload/retry-import.ts'
import type { PageHandlers, PageSender } from './answer.ts'
import { tabTaskHandlers } from './tab-task-handlers.ts'

/** How often a sign-in on a platform is recorded again, in ms. */
const seenEveryMs = 60_000

/** Delay before a page asks again, in ms, by what it shows. */
const lookAgainMs: Partial<Record<PageView['show']['kind'], number>> = {
  reading: 2_000,
  sending: 1_000,
  sign_in: 5_000,
  checking: 2_000,
}

/** Bounds of the delay until a page asks for a scheduled check. */
const checkAgainMs = { min: 60_000, max: 15 * 60_000 }

/** Handlers for content scripts. Each returns what the page shows and what its tab should fetch next. */
export function pageHandlers(context: WorkerContext): PageHandlers {
  return {
    ...tabTaskHandlers(context),

    async 'page.look'({ pageContext }, page) {
      await recordSignIn(context, page, pageContext)
      await checkIfDue(context, page, pageContext)
      return view(context, page, pageContext)
    },

    async 'page.import'({ pageContext }, page) {
      const own = ownShop(page, pageContext)
      const session = await readSession(context.store)
      if (own && session?.status === 'active') await refreshCatalogue(context, catalogueAgesMs.atImport)
      if (own && session?.status === 'active' && !(await isReadingOff(context, page.platform.slug))) {
        await whileIn(context, session, () =>
          startOrContinue(context, page, own, page.platform.countListings(pageContext)),
        )
        context.push(true)
      }
      return view(context, page, pageContext)
    },

    async 'page.answer'({ pageContext, scrape_id, step, answer }, page) {
      const importQueue = await context.importQueue()
      const scrape = await importQueue.scrapes.get(scrape_id)
      if (scrape?.platform === page.platform.slug && scrape.state === 'reading') {
        const account = page.platform.findSignedInUser(pageContext)
        const held = await heldListings(await context.inventory(), page.platform.slug)
        const after = sameUser(account, scrape.username)
          ? await storeAnswer({ importQueue, now: context.now, held }, page.platform, scrape_id, step, answer)
          : await stopScrape({ importQueue, now: context.now }, scrape_id, {
              reason: account ? 'other_user' : 'logged_out',
              message: account ? 'Somebody else is signed in.' : 'Nobody is signed in.',
            })
        if (after?.state !== 'reading' || after.step !== scrape.step) context.push(Boolean(after?.sold))
      }
      const next = await view(context, page, pageContext)
      // Delay the next fetch to keep a human pace.
      if (next.task) await context.sleep(paceMs(await readPaceMs(context.store), scrape?.misses ?? 0, context.random))
      return next
    },
  }
}

/** Returns the page's shop if it belongs to the user who is signed in there. */
function ownShop(page: PageSender, pageContext: PageContext): Shop | null {
  const shop = page.platform.findShop(pageContext.url, pageContext)
  return shop && sameUser(page.platform.findSignedInUser(pageContext), shop.username) ? shop : null
}

async function startOrContinue(context: WorkerContext, page: PageSender, shop: Shop, total: number | null) {
  const importQueue = await context.importQueue()
  const scrape = await findImport(importQueue, page.platform, shop)
  const check = await findCheck(importQueue, page.platform, shop)
  if (check?.state === 'stopped' && (!scrape || scrape.state === 'sent')) {
    // Only a full import can tell what a changed page contains.
    if (check.stop?.reason !== 'page_changed') return continueScrape({ importQueue, now: context.now }, check.id)
    await importQueue.scrapes.delete(check.id)
    // Nobody asked to import this shop. The next check starts over.
    if (!scrape) return
  }
  if (scrape?.state === 'stopped') return continueScrape({ importQueue, now: context.now }, scrape.id)
  if (scrape?.state === 'refused') return retryImport({ ...context, importQueue }, scrape.id)
  const fresh = newScrape(page.platform, shop, total, context.now())
  return importQueue.transaction('rw', importQueue.scrapes, async () => {
    // Clicks in two tabs start one import.
    const other = await findImport(importQueue, page.platform, shop)
    if (!other || !isUnfinished(other)) await importQueue.scrapes.add(fresh)
  })
}

async function view(context: WorkerContext, page: PageSender, pageContext: PageContext): Promise<PageView> {
  const { platform } = page
  const importQueue = await context.importQueue()
  const account = platform.findSignedInUser(pageContext)
  const own = ownShop(page, pageContext) !== null
  const signedIn = (await readSession(context.store))?.status === 'active'
  const off = await isReadingOff(context, platform.slug)
  const scrape = account === null ? undefined : await findImport(importQueue, platform, { username: account })
  const check = account === null ? undefined : await findCheck(importQueue, platform, { username: account })
  const total = platform.countListings(pageContext)
  const show = decideShow({ signedIn, ownShop: own, total, scrape, check, readingPaused: off, now: context.now() })
  const due = off ? undefined : [scrape, check].find((one) => one?.state === 'reading')
  const task = due ? await nextTask(context, importQueue, page, due) : null
  if (task) return { show, task, look_again_ms: null }
  // Another tab may stop reading at any time, so ask again soon.
  const soon = lookAgainMs[show.kind] ?? (due ? lookAgainMs.reading : undefined)
  if (soon !== undefined) return { show, task, look_again_ms: soon }
  return {
    show,
    task,
    look_again_ms:
      signedIn && account !== null ? await checkAgainIn(context, visitOf(page, pageContext, account)) : null,
  }
}

/** Starts a check for sales if one is due. */
async function checkIfDue(context: WorkerContext, page: PageSender, pageContext: PageContext): Promise<void> {
  const { platform } = page
  const account = platform.findSignedInUser(pageContext)
  if (account === null || (await readSession(context.store))?.status !== 'active') return
  if (await isReadingOff(context, platform.slug)) return
  const deps = { importQueue: await context.importQueue(), now: context.now }
  await beginDueCheck(deps, visitOf(page, pageContext, account), await readCheckEveryMs(context.store))
}

function visitOf(page: PageSender, pageContext: PageContext, account: string): Visit {
  const { platform } = page
  const shop = platform.findShop(platform.shopUrl(account), pageContext)
  const own = shop && sameUser(account, shop.username) ? shop : null
  return { platform, account, shop: own, url: pageContext.url, ownShop: ownShop(page, pageContext) !== null }
}

/** Returns the delay until the next scheduled check, or null if there is none. */
async function checkAgainIn(context: WorkerContext, visit: Visit): Promise<number | null> {
  const deps = { importQueue: await context.importQueue(), now: context.now }
  const inMs = await nextCheckInMs(deps, visit, await readCheckEveryMs(context.store))
  return inMs === null ? null : Math.min(checkAgainMs.max, Math.max(checkAgainMs.min, inMs))
}

/** Returns the next fetch of a scrape for one tab at a time. Takes over at once if the other tab is gone. */
async function nextTask(
  context: WorkerContext,
  importQueue: ImportQueue,
  { platform, tab }: PageSender,
  seen: ScrapeSession,
): Promise<PageTask | null> {
  const other = seen.driver && seen.driver.tab !== tab ? seen.driver.tab : null
  const gone = other !== null && !(await context.isTabOpen(other)) ? other : null
  return importQueue.transaction('rw', importQueue.scrapes, async () => {
    const scrape = await importQueue.scrapes.get(seen.id)
    if (scrape?.state !== 'reading') return null
    const left = scrape.driver !== null && scrape.driver.tab === gone
    if (!left && !mayDrive(scrape, tab, context.now())) return null
    const request = platform.nextRequest(scrape.cursor)
    if (!request) return null
    await importQueue.scrapes.update(scrape.id, { driver: { tab, heard_at: context.now() } })
    return { scrape_id: scrape.id, step: scrape.step, request }
  })
}

/** Records the user who is signed in on the platform, shown as its health. Only the user name is stored. */
async function recordSignIn(context: WorkerContext, page: PageSender, pageContext: PageContext): Promise<void> {
  const session = await readSession(context.store)
  if (session === null) return
  const seen = Seen.parse(await context.store.get('seen'))
  const username = page.platform.findSignedInUser(pageContext)
  const before = seen[page.platform.slug]
  if (!before && username === null) return
  if (before?.username === username && context.now() - before.at < seenEveryMs) return
  await storeForSession(context, session, 'seen', { ...seen, [page.platform.slug]: { username, at: context.now() } })
}

function sameUser(one: string | null, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase()
}
