import { z } from 'zod'
import { countNeeds } from '../overview/count-needs.ts'
import type { Overview } from '../overview/overview.ts'
import { readOverview } from '../overview/read-overview.ts'
import { keepFor } from '../session/keep-for.ts'
import { readSession } from '../session/session.ts'
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
  const overview = await readOverview({ ...context, cache: await context.cache() })
  await showNeeds(context, overview, quiet)
  return overview.session?.status === 'active'
}

/** The same for an overview that was just read. */
export async function showNeeds(context: WorkerContext, overview: Overview, quiet: boolean): Promise<void> {
  if (overview.session?.status !== 'active') {
    // An ended key needs the seller too, but it is no number.
    await context.badge(null)
    return
  }
  await context.badge(countNeeds(overview) || null)
  if (overview.trouble || overview.tasks === null) return
  await context.locks.request('hapax-told', async () => {
    const session = await readSession(context.store)
    if (session === null) return
    const { notice, told } = decideNotice(overview.tasks ?? [], Told.parse(await context.store.get('told')))
    // Remembered first: a notification that is lost with its worker is still in the popup, one told twice is noise.
    await keepFor(context, session, 'told', told)
    if (notice && !quiet && (await readSettings(context.store)).notify) await context.notify(notice)
  })
}
