import { z } from 'zod'
import { countNeeds } from '#extension/messaging/count-needs.ts'
import type { Overview } from '#extension/messaging/overview.ts'
import { readSettings, type WorkerContext } from '../context.ts'
import { readOverview, recallOverview } from '../overview/read-overview.ts'
import { alone, whileIn } from '../session/keep-for.ts'
import { readSession, type Session } from '../session/session.ts'
import { decideNotification } from './decide-notification.ts'

/** Uids of the tasks that were told in a notification. */
const Notified = z.array(z.string()).catch([])

/**
 * Reads the overview, puts its number on the toolbar button, and notifies of tasks that are new. Returns whether a
 * seller is signed in; if not, there is nothing to watch.
 */
export async function watch(context: WorkerContext): Promise<boolean> {
  return (await look(context, true)).session?.status === 'active'
}

/** Reads the overview and puts its number on the toolbar button; `notify`: new tasks are notified of too. */
export async function look(context: WorkerContext, notify: boolean): Promise<Overview> {
  const session = await readSession(context.store)
  const overview = await readOverview({ ...context, importQueue: await context.importQueue() })
  if (session && overview.session?.status === 'active') await showNeeds(context, session, overview, notify)
  // An ended key needs the seller too, but it is no number.
  else await showNumber(context, null)
  return overview
}

/**
 * Remembers tasks that a page shows, so that no notification repeats them. The page says so itself: a popup that is
 * closed before its answer arrives has shown nothing.
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

/** Counts anew what is known here, without asking the server. */
export async function recount(context: WorkerContext, session: Session): Promise<void> {
  const overview = await recallOverview({ ...context, importQueue: await context.importQueue() })
  await whileIn(context, session, () => context.badge(countNeeds(overview) || null))
}

/** Shows nothing of a session that was ended while it was looked at. */
async function showNeeds(context: WorkerContext, session: Session, overview: Overview, notify: boolean): Promise<void> {
  await whileIn(context, session, () => context.badge(countNeeds(overview) || null))
  if (!notify || overview.trouble || overview.tasks === null) return
  await context.locks.request('hapax-notified', async () => {
    const { notification, notified } = decideNotification(
      overview.tasks ?? [],
      Notified.parse(await context.store.get('notified')),
    )
    const wanted = (await readSettings(context.store)).notify
    await whileIn(context, session, async () => {
      // Remembered first: a notification that is lost with its worker is still in the popup, one told twice is noise.
      await context.store.set('notified', notified)
      if (notification && wanted) await context.notify(notification)
    })
  })
}

/** No number where nobody is signed in; one that somebody else has by now stays. */
async function showNumber(context: WorkerContext, count: null): Promise<void> {
  await alone(context, async () => {
    if ((await readSession(context.store))?.status !== 'active') await context.badge(count)
  })
}
