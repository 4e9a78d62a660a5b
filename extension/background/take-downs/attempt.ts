import { type ByItself, takeDownLimits, takeDownTimes } from '#extension/messaging/take-downs.ts'
import { webAddress } from '#extension/messaging/web-address.ts'
import { addressesAt } from '#extension/platforms/addresses.ts'
import { type DownStep, mayFollow } from '#extension/platforms/take-down/steps.ts'
import { HapaxError } from '#shared/client/error.ts'
import { recordAttempt, type TakeDownResult } from '#shared/contract/selling/tasks.ts'
import type { ExtensionSlug } from '#shared/platforms.ts'
import { readPaceMs, type WorkerContext } from '../context.ts'
import type { PageSender } from '../handlers/answer.ts'
import { recallTasks } from '../overview/read-overview.ts'
import { ServerUnreachable } from '../session/api.ts'
import type { Session } from '../session/session.ts'
import { watch } from '../tasks/watch.ts'
import { nextTakeDown, type OwnTask, withEntry } from './decide-next.ts'
import { changeTakeDowns, type Entry, type Kept, type Running, readTakeDowns, takeDownSession } from './state.ts'

/** Results that need nobody, after which the tab closes. After others it stays, for the seller to go on in it. */
const closesTab: ReadonlySet<TakeDownResult> = new Set([
  ...(['ended', 'already_down', 'stopped', 'tab_closed', 'task_over', 'no_server'] as const),
])

/**
 * Begins to end the next listing by itself, in a background tab, if one is due and none is under way. Ends an attempt
 * that takes too long or whose tab is gone. The server agrees to each attempt first, so that no other browser tries it.
 */
export async function takeDownNext(context: WorkerContext): Promise<void> {
  await context.locks.request('hapax-next-take-down', async () => {
    const session = await takeDownSession(context.store)
    if (!session) return
    await endLost(context, session)
    await tellResults(context, session)
    const { on, running, log } = await readTakeDowns(context.store)
    const front = running || on.length === 0 ? null : await context.frontPage()
    // Without a window no tab can be opened.
    if (front === null) return
    const inFront = addressesAt(front)?.slug ?? null
    const task = nextTakeDown(await recallTasks(context.store), { on, log, inFront, now: context.now() })
    if (task) await begin(context, session, task)
  })
}

async function begin(context: WorkerContext, session: Session, task: OwnTask): Promise<void> {
  const attempt_id = crypto.randomUUID()
  if ((await tellServer(context, session, { task: task.uid, attempt_id, pressed: [] })) !== 'agreed') {
    // Refresh: another browser may have tried it, or the sale is canceled.
    return void (await watch(context))
  }
  const { uid, inventory_item_uid: item, title, platform, url } = task
  const about = { attempt_id, task: uid, item, title, platform, url, begun_at: context.now(), pressed: [] }
  // The page may ask for its task before it is stored, so hold the lock while the tab opens.
  await changeTakeDowns(context, session, async (kept) => {
    const isOn = kept.on.includes(platform)
    const tab = isOn ? await context.openTab(webAddress(url)!, false).catch(() => null) : null
    if (tab !== null) return { kept: { ...kept, running: { ...about, tab } }, value: null }
    const entry = entryOf({ ...about, tab: -1 }, isOn ? 'tab_closed' : 'stopped', null, context.now())
    return { kept: { ...kept, log: withEntry(kept.log, entry) }, value: null }
  })
  context.publishOverview()
}

/** Returns the listing that a page's tab was opened to end, or null. Ends the attempt of a task that is over. */
export async function byItselfOf(context: WorkerContext, page: PageSender): Promise<ByItself | null> {
  const session = await takeDownSession(context.store)
  if (!session) return null
  // Waits for a tab that is being opened.
  const running = await changeTakeDowns(context, session, (kept) => ({ value: runningIn(kept, page) }))
  if (!running) return null
  const task = (await recallTasks(context.store)).find(({ uid }) => uid === running.task)
  if (!task?.listing_id) {
    await endAttempt(context, session, running, 'task_over')
    return null
  }
  const { uid, title, reason, listing_id, url } = task
  const listings = (await context.importQueue()).listings
  const read = await listings.get(`${running.platform}:${listing_id}`).catch(() => undefined)
  return {
    task: { task: uid, title, reason, listing_id, url, titles: [title, ...(read ? [read.listing.title] : [])] },
    pressed: running.pressed.map(({ step }) => step),
    times: takeDownTimes(await readPaceMs(context.store)),
  }
}

/**
 * Says whether a page may press a button. The press is stored first, here and on the server, so that neither a killed
 * worker nor a reloaded page presses it again. A repeated question about the same press gets the same answer.
 */
export async function mayPress(
  context: WorkerContext,
  page: PageSender,
  asked: { task: string; press: string; step: DownStep; word: string },
): Promise<boolean> {
  const session = await takeDownSession(context.store)
  if (!session) return false
  const { press, step, word } = asked
  const running = await changeTakeDowns<Running | null>(context, session, (kept) => {
    const before = runningIn(kept, page)
    if (before?.task !== asked.task || isOverdue(before, context.now())) return { value: null }
    if (before.pressed.some((one) => one.press === press)) return { value: before }
    if (
      !mayFollow(
        step,
        before.pressed.map((one) => one.step),
      )
    )
      return { value: null }
    const after = { ...before, pressed: [...before.pressed, { press, step, word }] }
    return { kept: { ...kept, running: after }, value: after }
  })
  if (!running) return false
  const { task, attempt_id } = running
  const told = await tellServer(context, session, { task, attempt_id, pressed: wordsOf(running) })
  if (told !== 'agreed') await endAttempt(context, session, running, told === 'refused' ? 'task_over' : 'no_server')
  else if (step === 'delete' || step === 'confirm') await context.agreeInTab(page.tab)
  // It may have been stopped while the server answered.
  return (await readTakeDowns(context.store)).running?.attempt_id === attempt_id
}

/** Ends the attempt of a page's tab, if there is one. Any page of the site may see that the listing is down. */
export async function endAttemptIn(
  context: WorkerContext,
  page: PageSender,
  task: string,
  how: { result: TakeDownResult; seen: string | null } | 'down',
): Promise<void> {
  const session = await takeDownSession(context.store)
  const kept = await readTakeDowns(context.store)
  const running = how === 'down' ? kept.running : runningIn(kept, page)
  if (!session || running?.task !== task) return
  if (how !== 'down') return endAttempt(context, session, running, how.result, how.seen)
  await endAttempt(context, session, running, running.pressed.length > 0 ? 'ended' : 'already_down')
}

/** Switches a marketplace on or off. Off stops what is under way there before anything else is pressed. */
export async function switchTakeDowns(context: WorkerContext, platform: ExtensionSlug, on: boolean): Promise<void> {
  const session = await takeDownSession(context.store)
  if (!session) return
  const stopped = await changeTakeDowns(context, session, (kept) => ({
    kept: { ...kept, on: [...kept.on.filter((one) => one !== platform), ...(on ? [platform] : [])] },
    value: !on && kept.running?.platform === platform ? kept.running : null,
  }))
  if (stopped) await endAttempt(context, session, stopped, 'stopped')
  context.publishOverview()
}

/** Ends the attempt whose tab the seller closed. */
export async function endAttemptOfTab(context: WorkerContext, tab: number): Promise<void> {
  const session = await takeDownSession(context.store)
  const { running } = await readTakeDowns(context.store)
  if (session && running?.tab === tab) await endAttempt(context, session, running, 'tab_closed')
}

/** Ends the attempt of an earlier browser session, whose tab ids are reused. */
export async function endAttemptOfEarlierBrowser(context: WorkerContext): Promise<void> {
  const session = await takeDownSession(context.store)
  const { running } = await readTakeDowns(context.store)
  if (session && running) await endAttempt(context, session, { ...running, tab: -1 }, 'tab_closed')
}

async function endLost(context: WorkerContext, session: Session): Promise<void> {
  const { running } = await readTakeDowns(context.store)
  if (!running) return
  if (!(await context.isTabOpen(running.tab))) await endAttempt(context, session, running, 'tab_closed')
  else if (isOverdue(running, context.now())) await endAttempt(context, session, running, 'timed_out')
}

/** Ends an attempt once: logs it, closes its tab and tells the server. */
async function endAttempt(
  context: WorkerContext,
  session: Session,
  { attempt_id, tab }: Running,
  result: TakeDownResult,
  seen: string | null = null,
): Promise<void> {
  const isEnded = await changeTakeDowns(context, session, (kept) => {
    const running = kept.running
    if (running?.attempt_id !== attempt_id) return { value: false }
    const log = withEntry(kept.log, entryOf(running, result, seen, context.now()))
    return { kept: { ...kept, running: null, log }, value: true }
  })
  if (!isEnded) return
  if (closesTab.has(result)) await context.closeTab(tab)
  context.publishOverview()
  await tellResults(context, session)
  // Shows the task again, or its end.
  await watch(context)
}

/** Tells the server the results that it does not know yet. Errors leave them to the next minute. */
async function tellResults(context: WorkerContext, session: Session): Promise<void> {
  for (const entry of (await readTakeDowns(context.store)).log.filter(({ told }) => !told)) {
    const { task, attempt_id, pressed, result, seen } = entry
    const said = { task, attempt_id, pressed, result, ...(seen === null ? {} : { seen }) }
    if ((await tellServer(context, session, said)) === 'unreachable') return
    await changeTakeDowns(context, session, (kept) => ({
      kept: {
        ...kept,
        log: kept.log.map((one) => (one.attempt_id === attempt_id ? { ...one, told: true } : one)),
      },
      value: null,
    }))
  }
}

/** Tells the server about an attempt. `refused`: the task is over, or was tried before. */
async function tellServer(
  context: WorkerContext,
  session: Session,
  { task, ...body }: { task: string; attempt_id: string; pressed: string[]; result?: TakeDownResult; seen?: string },
): Promise<'agreed' | 'refused' | 'unreachable'> {
  try {
    await context.clientOf(session)(recordAttempt, { params: { uid: task }, body })
    return 'agreed'
  } catch (error) {
    if (error instanceof ServerUnreachable) return 'unreachable'
    if (!(error instanceof HapaxError)) throw error
    return error.code === 'conflict' || error.code === 'not_found' ? 'refused' : 'unreachable'
  }
}

function entryOf(running: Running, result: TakeDownResult, seen: string | null, ended_at: number): Entry {
  const { tab, ...about } = running
  const closed = closesTab.has(result)
  return { ...about, pressed: wordsOf(running), ended_at, result, seen, closed, told: false }
}

/** Returns the labels of the pressed buttons. A list that loads on says so once. */
const wordsOf = ({ pressed }: Running) =>
  pressed
    .filter(
      ({ step }, at) => step !== 'open' && step !== 'reload' && !(step === 'more' && pressed[at - 1]?.step === step),
    )
    .map(({ word }) => word)
    .slice(-10)

function runningIn({ running, on }: Kept, page: PageSender): Running | null {
  if (running?.tab !== page.tab || running.platform !== page.platform.slug) return null
  return on.includes(running.platform) ? running : null
}

const isOverdue = ({ begun_at }: Running, now: number) => now - begun_at >= takeDownLimits.maxMs
