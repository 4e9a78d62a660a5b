import { z } from 'zod'
import type { TabTasks } from '#extension/messaging/tab-tasks.ts'
import { webAddress } from '#extension/messaging/web-address.ts'
import type { ListingRef } from '#extension/platforms/port.ts'
import { storeUnread } from '#extension/storage/import-queue/unread-listings.ts'
import { HapaxError } from '#shared/client/error.ts'
import { getInventoryItem, getSettings } from '#shared/contract/catalog/inventory.ts'
import { completeTask, type ExtensionTask, getTaskPicture } from '#shared/contract/selling/tasks.ts'
import { systemOfLocales } from '#shared/item/units.ts'
import { activeSession, openCall, type WorkerContext } from '../context.ts'
import { Seen } from '../overview/platform-health.ts'
import { readNewTasks, recallTasks, removeTask } from '../overview/read-overview.ts'
import { readSession, type Session } from '../session/session.ts'
import { storeForSession, whileIn } from '../session/store-for-session.ts'
import { byItselfOf, endAttemptIn, mayPress } from '../take-downs/attempt.ts'
import { listingDraftOf } from '../tasks/listing-draft.ts'
import {
  noTabTasks,
  Report,
  ReportedListing,
  TabTask,
  tabTasksOf,
  withListed,
  withoutExpired,
  withTabTask,
} from '../tasks/tab-tasks.ts'
import { watch } from '../tasks/watch.ts'
import { KnownError } from '../wire-error.ts'
import type { PageHandlers, PageSender } from './answer.ts'

const TabTaskList = z.array(TabTask).catch([])
const Reports = z.array(Report).catch([])
const Listed = z.array(ReportedListing).catch([])

/** Initial progress of a tab task. */
const fresh = { filled: false, done: false, listing_id: null, refused: false, opened: false, led_on: false }

type TabTaskHandlers = Pick<
  PageHandlers,
  | 'page.tabTasks'
  | 'page.newTasks'
  | 'page.listingDraft'
  | 'page.filled'
  | 'page.putAway'
  | 'page.picture'
  | 'page.listed'
  | 'page.pressed'
  | 'page.down'
  | 'page.next'
  | 'page.mayPress'
  | 'page.stopped'
>

/**
 * Handlers for tasks in marketplace pages. A page sees tasks of its own platform, and only the item that the seller
 * chose in its tab.
 */
export function tabTaskHandlers(context: WorkerContext): TabTaskHandlers {
  return {
    async 'page.tabTasks'(_request, page) {
      const byItself = await byItselfOf(context, page)
      return { ...(await readTabTasks(context, page)), byItself }
    },

    async 'page.newTasks'() {
      return readNewTasks(context, await activeSession(context))
    },

    async 'page.listingDraft'({ task: uid }, page) {
      const session = await anySession(context)
      const task = await openTaskOf(context, page, uid, 'list')
      const call = await openCall(context)
      const item = await call(getInventoryItem, { params: { uid: task.inventory_item_uid } })
      const { title, lifecycle } = item.record
      if (lifecycle.state !== 'available') {
        // Refresh, so that neither form nor popup offers the item again.
        await watch(context)
        throw new KnownError(`item_${lifecycle.state}`, `It is ${lifecycle.state}.`)
      }
      await changeTabs(context, session, (tabs) => {
        const before = withoutExpired(tabs, context.now()).find((one) => isOf(one, page, uid))
        const since = before?.since ?? context.now()
        // The web app opens a form with its task in the address.
        const opened = before?.opened ?? page.url?.endsWith(`#${uid}`) ?? false
        const place = { tab: page.tab, platform: page.platform.slug, opened }
        return withTabTask(tabs, { ...fresh, ...place, kind: 'list', task: uid, item: item.uid, title, since })
      })
      const { units } = await call(getSettings, {})
      await context.loadFormFiller(page.tab)
      return listingDraftOf(item, task, units ?? systemOfLocales(navigator.languages))
    },

    async 'page.filled'({ task }, page) {
      const session = await anySession(context)
      await changeTabs(context, session, (tabs) =>
        tabs.map((one) => (isOf(one, page, task) ? { ...one, filled: true } : one)),
      )
      return readTabTasks(context, page)
    },

    async 'page.putAway'({ task }, page) {
      const session = await anySession(context)
      await changeTabs(context, session, (tabs) => tabs.filter((one) => !isOf(one, page, task)))
      return readTabTasks(context, page)
    },

    async 'page.picture'({ task, n }, page) {
      await refuseUnlessCurrent(context, page, task)
      const call = await openCall(context)
      return call(getTaskPicture, { params: { uid: task }, query: { n: String(n) } })
    },

    async 'page.listed'({ task, listing_id, listing_url, leads_on }, page) {
      const session = await anySession(context)
      // A repeated report: already queued or sent.
      const kept = Reports.parse(await context.store.get('reports')).some((one) => one.task === task)
      const { current, done } = await readTabTasks(context, page)
      if (!kept && done?.task === task) return 'sent'
      // A sale may have ended the task, but the listing is live nevertheless.
      if (!kept && current?.task !== task) throw notOfThisTab()
      if (!page.platform.origins.includes(new URL(listing_url).origin)) {
        throw new KnownError('refused_message', 'This URL is not on the platform.')
      }
      const title = current?.title ?? ''
      // In parallel: a report must not wait for disk space.
      const [state] = await Promise.all([
        report(context, session, page, 'list', { task, listing: { listing_id, listing_url } }),
        addToChecks(context, session, page, { listing_id, url: listing_url, title }),
      ])
      if (state === 'sent' && leads_on) await leadOn(context, session, page)
      return state
    },

    async 'page.pressed'({ task: uid }, page) {
      const session = await anySession(context)
      const { title, inventory_item_uid: item } = await openTaskOf(context, page, uid, 'delist')
      const place = { tab: page.tab, platform: page.platform.slug }
      const since = context.now()
      await changeTabs(context, session, (tabs) => {
        return withTabTask(tabs, { ...fresh, ...place, kind: 'delist', task: uid, item, title, since, filled: true })
      })
      return readTabTasks(context, page)
    },

    async 'page.down'({ task }, page) {
      const session = await anySession(context)
      await openTaskOf(context, page, task, 'delist')
      const state = await report(context, session, page, 'delist', { task, listing: null })
      await endAttemptIn(context, page, task, 'down')
      await context.takeDownNext()
      return state
    },

    'page.mayPress': (asked, page) => mayPress(context, page, asked),

    async 'page.stopped'({ task, result, seen }, page) {
      await endAttemptIn(context, page, task, { result, seen })
      await context.takeDownNext()
      return null
    },

    async 'page.next'({ task }, page) {
      const session = await anySession(context)
      const done = (await readTabs(context)).find((one) => one.tab === page.tab && one.done)
      if (done?.platform !== page.platform.slug) throw notOfThisTab()
      await openTabTask(context, task, placeOf(done, page))
      await changeTabs(context, session, (tabs) => tabs.filter((one) => !isOf(one, page, done.task)))
      return null
    },
  }
}

/** Adds a listing made here to the checks, in the shop of the signed-in user. */
async function addToChecks(
  context: WorkerContext,
  session: Session,
  { platform }: PageSender,
  ref: ListingRef,
): Promise<void> {
  const importQueue = await context.importQueue()
  await whileIn(context, session, async () => {
    const shop = Seen.parse(await context.store.get('seen'))[platform.slug]?.username
    if (shop) await storeUnread(importQueue, { platform: platform.slug, shop, now: context.now() }, [ref])
  })
}

/** A tab that Hapax opened, with the page that it shows once its task is done. */
type DonePlace = { tab: number; page: string } | null

const placeOf = ({ opened }: TabTask, { tab, url }: PageSender): DonePlace =>
  opened && url ? { tab, page: url } : null

/**
 * Opens a task's page, where its form is filled in: in the tab of the task before it, if the seller has not gone elsewhere
 * there, else in a new tab.
 */
export async function openTabTask(context: WorkerContext, uid: string, place: DonePlace = null): Promise<null> {
  const session = await anySession(context)
  const recall = async () => (await recallTasks(context.store)).find((one) => one.uid === uid)
  let task = await recall()
  if (!task) {
    // It was made a moment ago.
    await watch(context)
    task = await recall()
  }
  const url = webAddress(task?.url)
  if (!task || !url) throw new KnownError('not_found', 'This task is no longer open.')
  if (task.kind !== 'list') {
    await context.openTab(url)
    return null
  }
  // The page may ask for its task before it is stored, so hold the lock while the tab opens.
  await changeTabs(context, session, async (tabs) => {
    const isReused = place !== null && (await context.reuseTab(place.tab, place.page, url))
    const tab = isReused ? place.tab : await context.openTab(url, true, uid)
    const { platform, title, inventory_item_uid: item } = task
    const since = context.now()
    if (tab === null) return tabs
    return withTabTask(tabs, { ...fresh, opened: true, tab, platform, kind: 'list', task: uid, item, title, since })
  })
  return null
}

/** Opens the task after the one that is done in a tab. Where that fails, the panel of the tab goes on offering it. */
async function leadOn(context: WorkerContext, session: Session, page: PageSender): Promise<void> {
  const { done } = await readTabTasks(context, page)
  if (!done?.next || done.again || done.refused) return
  const tabTask = (await readTabs(context)).find((one) => isOf(one, page, done.task))
  const isOpen = await openTabTask(context, done.next.task, tabTask ? placeOf(tabTask, page) : null).then(
    () => true,
    () => false,
  )
  await changeTabs(context, session, (tabs) =>
    tabs.map((one) => (isOf(one, page, done.task) ? { ...one, led_on: isOpen } : one)),
  )
}

/** Forgets tabs of an earlier browser session, whose ids are reused. */
export async function clearTabs(context: WorkerContext): Promise<void> {
  const session = await readSession(context.store)
  if (session) await changeTabs(context, session, () => [])
}

/**
 * Sends queued reports. Drops those that the server rejects because the task ended otherwise, and marks their tab.
 * Other errors keep the report for the next try.
 */
export async function sendReports(context: WorkerContext): Promise<void> {
  await context.locks.request('hapax-reports', async () => {
    const session = await readSession(context.store)
    if (session?.status !== 'active') return
    const call = context.clientOf(session)
    for (const one of Reports.parse(await context.store.get('reports'))) {
      try {
        await call(completeTask, {
          params: { uid: one.task },
          // The page was read back before its report.
          body: one.listing ?? { seen_down: true },
        })
      } catch (error) {
        if (!(error instanceof HapaxError) || !['not_found', 'conflict', 'invalid_request'].includes(error.code))
          throw error
        await changeTabs(context, session, (tabs) => {
          return tabs.map((tab) => (tab.task === one.task && tab.done ? { ...tab, refused: true } : tab))
        })
      }
      await removeTask({ ...context, importQueue: await context.importQueue() }, session, one.task)
      const waiting = Reports.parse(await context.store.get('reports'))
      const others = waiting.filter((report) => report.task !== one.task)
      await storeForSession(context, session, 'reports', others)
    }
  })
}

/** Stores a report before sending it, so that it survives the worker. */
async function report(
  context: WorkerContext,
  session: Session,
  page: PageSender,
  kind: TabTask['kind'],
  said: Report,
): Promise<'sent' | 'queued'> {
  const known = (await recallTasks(context.store)).find((one) => one.uid === said.task)
  await context.locks.request('hapax-reports', async () => {
    const waiting = Reports.parse(await context.store.get('reports'))
    await storeForSession(context, session, 'reports', [...waiting.filter(({ task }) => task !== said.task), said])
    if (!said.listing) return
    const listed = { platform: page.platform.slug, listing_id: said.listing.listing_id, at: context.now() }
    await storeForSession(
      context,
      session,
      'listed',
      withListed(Listed.parse(await context.store.get('listed')), listed),
    )
  })
  const place = { tab: page.tab, platform: page.platform.slug }
  const since = context.now()
  await changeTabs(context, session, (tabs) => {
    const before = tabs.find(({ task }) => task === said.task)
    const title = known?.title ?? before?.title ?? ''
    const item = known?.inventory_item_uid ?? before?.item ?? ''
    const others = tabs.filter(({ task }) => task !== said.task)
    const listing_id = said.listing?.listing_id ?? null
    const opened = before?.tab === page.tab && before.opened
    const tabTask = { ...fresh, ...place, opened, kind, task: said.task, item, title, since, listing_id }
    return withTabTask(others, { ...tabTask, filled: true, done: true })
  })
  try {
    await sendReports(context)
  } catch (error) {
    // Report it as queued; the next periodic watch sends it.
    if (error instanceof Error) return 'queued'
    throw error
  }
  await watch(context)
  return Reports.parse(await context.store.get('reports')).some(({ task }) => task === said.task) ? 'queued' : 'sent'
}

async function readTabTasks(context: WorkerContext, page: PageSender): Promise<TabTasks> {
  if ((await readSession(context.store))?.status !== 'active') return noTabTasks
  const [tasks, tabs, reports, listed] = await Promise.all([
    recallTasks(context.store),
    context.locks.request(tabsLock, () => readTabs(context)),
    context.store.get('reports'),
    context.store.get('listed'),
  ])
  const here = { platform: page.platform.slug, tab: page.tab, now: context.now() }
  const open = await ofOpenTabs(context, withoutExpired(tabs, context.now()))
  return tabTasksOf(tasks, here, open, Reports.parse(reports), Listed.parse(listed))
}

/** Drops the tasks of tabs that were closed. */
async function ofOpenTabs(context: WorkerContext, tabs: readonly TabTask[]): Promise<TabTask[]> {
  const open = await Promise.all(tabs.map(({ tab }) => context.isTabOpen(tab)))
  return tabs.filter((_, at) => open[at])
}

async function openTaskOf(
  context: WorkerContext,
  page: PageSender,
  uid: string,
  kind: ExtensionTask['kind'],
): Promise<ExtensionTask> {
  const task = (await recallTasks(context.store)).find((one) => one.uid === uid)
  if (task?.kind !== kind || task.platform !== page.platform.slug) {
    throw new KnownError('not_found', 'This task is no longer open.')
  }
  return task
}

async function refuseUnlessCurrent(context: WorkerContext, page: PageSender, task: string): Promise<void> {
  const { current } = await readTabTasks(context, page)
  if (current?.task !== task) throw notOfThisTab()
}

const notOfThisTab = () => new KnownError('not_found', 'This task belongs to another tab.')

/** Changes the tab tasks of a session. Stores nothing if another session has begun. */
async function changeTabs(
  context: WorkerContext,
  session: Session,
  change: (tabs: TabTask[]) => TabTask[] | Promise<TabTask[]>,
): Promise<void> {
  await context.locks.request(tabsLock, async () => {
    const changed = await change(await readTabs(context))
    await storeForSession(context, session, 'tab_tasks', changed)
  })
}

/** Lock held while tab tasks change, and awaited by readers. */
const tabsLock = 'hapax-tab-tasks'

async function readTabs(context: WorkerContext): Promise<TabTask[]> {
  return TabTaskList.parse(await context.store.get('tab_tasks'))
}

/** Returns the current session, even if its key has expired: reports are queued until the next sign-in. */
async function anySession(context: WorkerContext): Promise<Session> {
  const session = await readSession(context.store)
  if (session === null) throw new KnownError('no_session', 'Sign in first.')
  return session
}

function isOf(tabTask: TabTask, page: PageSender, task: string): boolean {
  return tabTask.tab === page.tab && tabTask.task === task
}
