import type { PageTask, PageView } from '#extension/messaging/page-view.ts'
import type { Clues, Shop } from '#extension/platforms/port.ts'
import type { Cache, Run } from '#extension/storage/import-queue/database.ts'
import { findCheck, findRun, isUnfinished, newRun } from '#extension/storage/import-queue/scrapes.ts'
import { catalogueAgesMs, isReadingOff, refreshCatalogue } from '../catalogue.ts'
import { readCheckEveryMs, readPaceMs, type WorkerContext } from '../context.ts'
import { Seen } from '../overview/platform-health.ts'
import { beginDueCheck, nextCheckInMs, type Visit } from '../scraping/check.ts'
import { decideShow, mayDrive, paceMs } from '../scraping/decide-show.ts'
import { continueRun, stopRun, takeAnswer } from '../scraping/take-answer.ts'
import { keepFor, whileIn } from '../session/keep-for.ts'
import { readSession } from '../session/session.ts'
import { tryAgain } from '../upload/retry-import.ts'
import type { PageHandlers, PageSender } from './answer.ts'
import { errandHandlers } from './tab-task-handlers.ts'

/** A sign-in on a platform's page is noted anew after this time. */
const seenEveryMs = 60_000

/** How soon a page looks again, in milliseconds, by what it shows. */
const lookAgainMs: Partial<Record<PageView['show']['kind'], number>> = {
  reading: 2_000,
  sending: 1_000,
  sign_in: 5_000,
  checking: 2_000,
}

/** A page that may check later looks again at the latest after this time, and not sooner than a minute. */
const checkAgainMs = { min: 60_000, max: 15 * 60_000 }

/** What content scripts may ask: each answers what the page is to show, and what its tab is to fetch next. */
export function pageHandlers(context: WorkerContext): PageHandlers {
  return {
    ...errandHandlers(context),

    async 'page.look'({ clues }, page) {
      await noteSeen(context, page, clues)
      await checkIfDue(context, page, clues)
      return view(context, page, clues)
    },

    async 'page.import'({ clues }, page) {
      const own = ownShop(page, clues)
      const session = await readSession(context.store)
      if (own && session?.status === 'active') await refreshCatalogue(context, catalogueAgesMs.atImport)
      if (own && session?.status === 'active' && !(await isReadingOff(context, page.platform.slug))) {
        await whileIn(context, session, () => startOrContinue(context, page, own, page.platform.countListings(clues)))
        context.push(true)
      }
      return view(context, page, clues)
    },

    async 'page.answer'({ clues, run_id, step, answer }, page) {
      const cache = await context.cache()
      const run = await cache.runs.get(run_id)
      if (run?.platform === page.platform.slug && run.state === 'reading') {
        const account = page.platform.whoIsSignedIn(clues)
        const after = sameUser(account, run.username)
          ? await takeAnswer({ cache, now: context.now }, page.platform, run_id, step, answer)
          : await stopRun({ cache, now: context.now }, run_id, {
              reason: account ? 'other_user' : 'logged_out',
              message: account ? 'Somebody else is signed in.' : 'Nobody is signed in.',
            })
        if (after?.state !== 'reading' || after.step !== run.step) context.push(Boolean(after?.sold))
      }
      const next = await view(context, page, clues)
      // A person's pace: the next fetch is only told when its time has come.
      if (next.task) await context.sleep(paceMs(await readPaceMs(context.store), run?.misses ?? 0, context.random))
      return next
    },
  }
}

/** The shop of the page, when it is that of the user who is signed in there. */
function ownShop(page: PageSender, clues: Clues): Shop | null {
  const shop = page.platform.findShop(clues.url, clues)
  return shop && sameUser(page.platform.whoIsSignedIn(clues), shop.username) ? shop : null
}

async function startOrContinue(context: WorkerContext, page: PageSender, shop: Shop, total: number | null) {
  const cache = await context.cache()
  const run = await findRun(cache, page.platform, shop)
  const check = await findCheck(cache, page.platform, shop)
  if (check?.state === 'stopped' && (!run || run.state === 'sent')) {
    // Where a page was not understood, only a whole reading can say more.
    if (check.stop?.reason !== 'page_changed') return continueRun({ cache, now: context.now }, check.id)
    await cache.runs.delete(check.id)
    // Nobody asked to have this shop read: the next look begins anew.
    if (!run) return
  }
  if (run?.state === 'stopped') return continueRun({ cache, now: context.now }, run.id)
  if (run?.state === 'refused') return tryAgain(cache, run.id, context.now())
  const fresh = newRun(page.platform, shop, total, context.now())
  return cache.transaction('rw', cache.runs, async () => {
    // Two presses in two tabs are one import.
    const other = await findRun(cache, page.platform, shop)
    if (!other || !isUnfinished(other)) await cache.runs.add(fresh)
  })
}

async function view(context: WorkerContext, page: PageSender, clues: Clues): Promise<PageView> {
  const { platform } = page
  const cache = await context.cache()
  const account = platform.whoIsSignedIn(clues)
  const own = ownShop(page, clues) !== null
  const signedIn = (await readSession(context.store))?.status === 'active'
  const off = await isReadingOff(context, platform.slug)
  const run = account === null ? undefined : await findRun(cache, platform, { username: account })
  const check = account === null ? undefined : await findCheck(cache, platform, { username: account })
  const total = platform.countListings(clues)
  const show = decideShow({ signedIn, ownShop: own, total, run, check, off, now: context.now() })
  const due = off ? undefined : [run, check].find((one) => one?.state === 'reading')
  const task = due ? await nextTask(context, cache, page, due) : null
  if (task) return { show, task, look_again_ms: null }
  // Whatever is shown here, another tab may end in the middle of its reading.
  const soon = lookAgainMs[show.kind] ?? (due ? lookAgainMs.reading : undefined)
  if (soon !== undefined) return { show, task, look_again_ms: soon }
  return {
    show,
    task,
    look_again_ms: signedIn && account !== null ? await checkAgainIn(context, visitOf(page, clues, account)) : null,
  }
}

/** Begins a look at what sold, when the seller comes by or the time has come. */
async function checkIfDue(context: WorkerContext, page: PageSender, clues: Clues): Promise<void> {
  const { platform } = page
  const account = platform.whoIsSignedIn(clues)
  if (account === null || (await readSession(context.store))?.status !== 'active') return
  if (await isReadingOff(context, platform.slug)) return
  const deps = { cache: await context.cache(), now: context.now }
  await beginDueCheck(deps, visitOf(page, clues, account), await readCheckEveryMs(context.store))
}

function visitOf(page: PageSender, clues: Clues, account: string): Visit {
  const { platform } = page
  const shop = platform.findShop(platform.shopUrl(account), clues)
  const own = shop && sameUser(account, shop.username) ? shop : null
  return { platform, account, shop: own, url: clues.url, ownShop: ownShop(page, clues) !== null }
}

/** When a page is to look again for the next scheduled check; null: there is none. */
async function checkAgainIn(context: WorkerContext, visit: Visit): Promise<number | null> {
  const deps = { cache: await context.cache(), now: context.now }
  const inMs = await nextCheckInMs(deps, visit, await readCheckEveryMs(context.store))
  return inMs === null ? null : Math.min(checkAgainMs.max, Math.max(checkAgainMs.min, inMs))
}

/**
 * The next fetch of a run, for the tab that reads it: one tab at a time. One that was closed, or was of a browser that
 * was killed, reads no more: its silence need not be waited for.
 */
async function nextTask(
  context: WorkerContext,
  cache: Cache,
  { platform, tab }: PageSender,
  seen: Run,
): Promise<PageTask | null> {
  const other = seen.driver && seen.driver.tab !== tab ? seen.driver.tab : null
  const gone = other !== null && !(await context.isTabOpen(other)) ? other : null
  return cache.transaction('rw', cache.runs, async () => {
    const run = await cache.runs.get(seen.id)
    if (run?.state !== 'reading') return null
    const left = run.driver !== null && run.driver.tab === gone
    if (!left && !mayDrive(run, tab, context.now())) return null
    const request = platform.nextRequest(run.cursor)
    if (!request) return null
    await cache.runs.update(run.id, { driver: { tab, heard_at: context.now() } })
    return { run_id: run.id, step: run.step, request }
  })
}

/** Remembers who is signed in on the platform, which is its health in the popup. Only the user name is kept. */
async function noteSeen(context: WorkerContext, page: PageSender, clues: Clues): Promise<void> {
  const session = await readSession(context.store)
  if (session === null) return
  const seen = Seen.parse(await context.store.get('seen'))
  const username = page.platform.whoIsSignedIn(clues)
  const before = seen[page.platform.slug]
  if (!before && username === null) return
  if (before?.username === username && context.now() - before.at < seenEveryMs) return
  await keepFor(context, session, 'seen', { ...seen, [page.platform.slug]: { username, at: context.now() } })
}

function sameUser(one: string | null, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase()
}
