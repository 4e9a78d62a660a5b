import { z } from 'zod'
import { countNeeds } from '../overview/count-needs.ts'
import type { Overview } from '../overview/overview.ts'
import { readOverview, recallOverview } from '../overview/read-overview.ts'
import { alone, whileIn } from '../session/keep-for.ts'
import { readSession, type Session } from '../session/session.ts'
import { decideNotice } from '../tasks/decide-notice.ts'
import { readSettings, type WorkerContext } from './context.ts'

/** Uids of the tasks that were told in a notification. */
const Told = z.array(z.string()).catch([])

/**
 * Looks what needs the seller: the number goes on the toolbar button, and what newly sold elsewhere is told, once. What
 * the popup shows at this moment is not told a second time (`quiet`). False: nobody is signed in, so there is nothing to
 * look at again.
 */
export async function watch(context: WorkerContext, quiet = false): Promise<boolean> {
  return (await look(context, quiet)).session?.status === 'active'
}

/** The same, and what was seen. */
export async function look(context: WorkerContext, quiet: boolean): Promise<Overview> {
  const session = await readSession(context.store)
  const overview = await readOverview({ ...context, cache: await context.cache() })
  if (session && overview.session?.status === 'active') await showNeeds(context, session, overview, quiet)
  // An ended key needs the seller too, but it is no number.
  else await showNumber(context, null)
  return overview
}

/** Counts anew what is known here, without asking the server. */
export async function recount(context: WorkerContext, session: Session): Promise<void> {
  const overview = await recallOverview({ ...context, cache: await context.cache() })
  await whileIn(context, session, () => context.badge(countNeeds(overview) || null))
}

/** Shows nothing of a session that was ended while it was looked at. */
async function showNeeds(context: WorkerContext, session: Session, overview: Overview, quiet: boolean): Promise<void> {
  await whileIn(context, session, () => context.badge(countNeeds(overview) || null))
  if (overview.trouble || overview.tasks === null) return
  await context.locks.request('hapax-told', async () => {
    const { notice, told } = decideNotice(overview.tasks ?? [], Told.parse(await context.store.get('told')))
    const wanted = (await readSettings(context.store)).notify
    await whileIn(context, session, async () => {
      // Remembered first: a notification that is lost with its worker is still in the popup, one told twice is noise.
      await context.store.set('told', told)
      if (notice && !quiet && wanted) await context.notify(notice)
    })
  })
}

/** No number where nobody is signed in; one that somebody else has by now stays. */
async function showNumber(context: WorkerContext, count: null): Promise<void> {
  await alone(context, async () => {
    if ((await readSession(context.store))?.status !== 'active') await context.badge(count)
  })
}
