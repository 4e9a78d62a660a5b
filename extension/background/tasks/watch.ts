import { z } from 'zod'
import { countNeeds, countUrgent } from '#extension/messaging/count-needs.ts'
import type { Overview } from '#extension/messaging/overview.ts'
import { takeDownLimits } from '#extension/messaging/take-downs.ts'
import type { ExtensionTask } from '#shared/contract/selling/tasks.ts'
import { readSettings, type WorkerContext } from '../context.ts'
import { readOverview, recallOverview } from '../overview/read-overview.ts'
import { readSession, type Session } from '../session/session.ts'
import { alone, whileIn } from '../session/store-for-session.ts'
import { soonTasks } from '../take-downs/decide-next.ts'
import { readTakeDowns } from '../take-downs/state.ts'
import { decideNotification } from './decide-notification.ts'

/** Uids of tasks already notified about. */
const Notified = z.array(z.string()).catch([])

/**
 * Refreshes the overview, the badge and notifications. Returns false if nobody is signed in, so there is nothing to
 * watch.
 */
export async function watch(context: WorkerContext): Promise<boolean> {
  return (await look(context, true)).session?.status === 'active'
}

/** Refreshes the overview and the badge. `notify`: shows notifications too. */
export async function look(context: WorkerContext, notify: boolean): Promise<Overview> {
  const session = await readSession(context.store)
  const overview = await readOverview({ ...context, importQueue: await context.importQueue() })
  if (session && overview.session?.status === 'active') await showNeeds(context, session, overview, notify)
  // An expired key needs the seller, but has no number.
  else await clearBadge(context)
  return overview
}

/**
 * Remembers tasks shown on a page, so that no notification repeats them. The page reports this itself, since a closed
 * popup has shown nothing.
 */
export async function rememberShown(context: WorkerContext, uids: readonly string[]): Promise<void> {
  const session = await readSession(context.store)
  if (!session) return
  await context.locks.request('hapax-notified', () =>
    whileIn(context, session, async () => {
      const notified = Notified.parse(await context.store.get('notified'))
      await context.store.set('notified', [...new Set([...notified, ...uids])])
    }),
  )
}

/** Updates the badge from local data. */
export async function recount(context: WorkerContext, session: Session): Promise<void> {
  const overview = await recallOverview({ ...context, importQueue: await context.importQueue() })
  await whileIn(context, session, () => showCount(context, overview))
}

const showCount = (context: WorkerContext, overview: Overview) =>
  context.badge(countNeeds(overview) || null, countUrgent(overview) > 0)

/** Shows nothing for a session that ended meanwhile. */
async function showNeeds(context: WorkerContext, session: Session, overview: Overview, notify: boolean): Promise<void> {
  await whileIn(context, session, () => showCount(context, overview))
  if (!notify || overview.trouble || overview.tasks === null) return
  // A listing that is about to end by itself needs nobody.
  const isFresh = ({ created_at }: ExtensionTask) => context.now() - Date.parse(created_at) < takeDownLimits.quietMs
  const known = { ...(await readTakeDowns(context.store)), now: context.now() }
  const own = soonTasks(overview.tasks, known).filter(isFresh)
  const ends = (task: string | null) => task === overview.takeDowns.running?.task || own.some(({ uid }) => uid === task)
  await context.locks.request('hapax-notified', async () => {
    const { notification, notified } = decideNotification(
      {
        alerts: overview.alerts.filter(({ task_uid }) => !ends(task_uid)),
        tasks: (overview.tasks ?? []).filter(({ uid }) => !ends(uid)),
      },
      Notified.parse(await context.store.get('notified')),
    )
    const wanted = (await readSettings(context.store)).notify
    await whileIn(context, session, async () => {
      // Remember first: the popup still shows a lost notification, but a repeated one is noise.
      await context.store.set('notified', notified)
      if (notification && wanted) await context.notify(notification)
    })
  })
}

/** Removes the badge unless another seller has signed in. */
async function clearBadge(context: WorkerContext): Promise<void> {
  await alone(context, async () => {
    if ((await readSession(context.store))?.status !== 'active') await context.badge(null)
  })
}
