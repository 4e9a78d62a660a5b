import type { Cache, Run } from '../cache/database.ts'
import { findRun, isUnfinished, newRun } from '../cache/runs.ts'
import type { PageHandlers, PageSender } from '../messages/answer.ts'
import { Seen } from '../overview/platform-health.ts'
import type { Clues, Shop } from '../platforms/port.ts'
import { decideShow, mayDrive, type PageTask, type PageView, paceMs } from '../scrape/page-view.ts'
import { continueRun, stopRun, takeAnswer } from '../scrape/take-answer.ts'
import { keepFor } from '../session/keep-for.ts'
import { readSession } from '../session/session.ts'
import { tryAgain } from '../sync/try-again.ts'
import { readPaceMs, type WorkerContext } from './context.ts'
import { errandHandlers } from './errand-handlers.ts'

/** A sign-in on a platform's page is noted anew after this time. */
const seenEveryMs = 60_000

/** How soon a page looks again, in milliseconds, by what it shows. */
const lookAgainMs: Partial<Record<PageView['show']['kind'], number>> = {
  reading: 2_000,
  sending: 1_000,
  sign_in: 5_000,
}

/** What content scripts may ask: each answers what the page is to show, and what its tab is to fetch next. */
export function pageHandlers(context: WorkerContext): PageHandlers {
  return {
    ...errandHandlers(context),

    async 'page.look'({ clues }, page) {
      await noteSeen(context, page, clues)
      return view(context, page, clues)
    },

    async 'page.import'({ clues }, page) {
      const own = ownShop(page, clues)
      const session = await readSession(context.store)
      if (own && session?.status === 'active') {
        await startOrContinue(context, page, own, page.platform.countListings(clues))
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
              reason: 'logged_out',
              message: account ? 'Somebody else is signed in.' : 'Nobody is signed in.',
            })
        if (after?.state !== 'reading' || after.step !== run.step) context.push()
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
  const run = account === null ? undefined : await findRun(cache, platform, { username: account, url: clues.url })
  const session = await readSession(context.store)
  const show = decideShow({
    signedIn: session?.status === 'active',
    ownShop: ownShop(page, clues) !== null,
    total: platform.countListings(clues),
    run,
    now: context.now(),
  })
  const task = run?.state === 'reading' ? await nextTask(context, cache, page, run) : null
  return { show, task, look_again_ms: task ? null : (lookAgainMs[show.kind] ?? null) }
}

/** The next fetch of a run, for the tab that reads it: one tab at a time. */
async function nextTask(
  context: WorkerContext,
  cache: Cache,
  { platform, tab }: PageSender,
  seen: Run,
): Promise<PageTask | null> {
  return cache.transaction('rw', cache.runs, async () => {
    const run = await cache.runs.get(seen.id)
    if (run?.state !== 'reading' || !mayDrive(run, tab, context.now())) return null
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
