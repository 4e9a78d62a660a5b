import { z } from 'zod'
import type { Overview } from '#extension/messaging/overview.ts'
import type { ImportQueue } from '#extension/storage/import-queue/database.ts'
import type { InventoryCache } from '#extension/storage/inventory-cache/database.ts'
import { ApiError } from '#shared/contract/client.ts'
import { listPlatforms, listSellerAccounts, Platform, SellerAccount } from '#shared/contract/connections.ts'
import { ImportJob, listImportJobs } from '#shared/contract/imports.ts'
import { ExtensionTask } from '#shared/contract/tasks.ts'
import { readingOff } from '../catalogue.ts'
import { readPaceMs } from '../context.ts'
import { endIfRefused } from '../session/confirm-refusal.ts'
import { type KeepDeps, keepFor } from '../session/keep-for.ts'
import { readSession, type Session } from '../session/session.ts'
import type { Store } from '../session/store.ts'
import { readOpenTasks } from '../tasks/read-open-tasks.ts'
import { withoutCanceled } from '../upload/cancel-import.ts'
import { forgetEnded } from '../upload/forget-sent.ts'
import type { PushDeps } from '../upload/push.ts'
import { wireError } from '../wire-error.ts'
import { importRows } from './import-rows.ts'
import { platformHealth, Seen } from './platform-health.ts'

type Deps = Pick<PushDeps, 'importQueue' | 'store' | 'clientOf' | 'now' | 'locks'> & {
  inventory: () => Promise<InventoryCache>
  version: string
}
type Known = Pick<Deps, 'importQueue' | 'store' | 'inventory' | 'version' | 'now'>

/** What the server last said, kept so that the popup can be drawn at once and without a network. */
const Snapshot = z.object({
  as_of: z.number().nullable(),
  platforms: z.array(Platform),
  accounts: z.array(SellerAccount),
  jobs: z.array(ImportJob),
  /** Null: the key may not see them. */
  tasks: z.array(ExtensionTask).nullable().default([]),
})
type Snapshot = z.infer<typeof Snapshot>
const empty: Snapshot = { as_of: null, platforms: [], accounts: [], jobs: [], tasks: [] }

/** The overview from what is known here, without asking the server. */
export async function recallOverview(known: Known): Promise<Overview> {
  const session = await readSession(known.store)
  const snapshot = Snapshot.catch(empty).parse(await known.store.get('snapshot'))
  return compose(known, session, snapshot, null)
}

/** The overview as of now; what the server cannot say now stays as it last was, with the trouble beside it. */
export async function readOverview(deps: Deps): Promise<Overview> {
  const session = await readSession(deps.store)
  if (session?.status !== 'active') return recallOverview(deps)
  try {
    const call = deps.clientOf(session)
    const [platforms, accounts, jobs, tasks] = await Promise.all([
      call(listPlatforms, {}),
      call(listSellerAccounts, {}),
      call(listImportJobs, {}),
      readOpenTasks(call).catch(nullWithoutScope),
    ])
    // Before they are gone from what is known, so that a worker that dies here does it the next time.
    await forgetEnded(deps.importQueue, await recallTasks(deps.store), tasks ?? [])
    const snapshot: Snapshot = { as_of: deps.now(), platforms, accounts, jobs, tasks }
    await keepFor(deps, session, 'snapshot', snapshot)
    return compose(deps, session, snapshot, null)
  } catch (error) {
    await endIfRefused(deps, session, error)
    return { ...(await recallOverview(deps)), trouble: wireError(error) }
  }
}

/** A key of an earlier version, or one that was pasted in, may lack the scope for tasks: everything else works with it. */
function nullWithoutScope(error: unknown): null {
  if (error instanceof ApiError && error.code === 'insufficient_scope') return null
  throw error
}

/** The open tasks as the server last told them; none where the key may not see them. */
export async function recallTasks(store: Store): Promise<ExtensionTask[]> {
  return Snapshot.catch(empty).parse(await store.get('snapshot')).tasks ?? []
}

/** Puts a job that was just begun into what is known, so that it is shown before the server is asked again. */
export async function rememberJob(deps: KeepDeps, session: Session, job: ImportJob): Promise<void> {
  const snapshot = Snapshot.catch(empty).parse(await deps.store.get('snapshot'))
  const jobs = [job, ...snapshot.jobs.filter((one) => one.id !== job.id)]
  await keepFor(deps, session, 'snapshot', { ...snapshot, jobs })
}

/** Takes a finished task out of what is known, so that it is gone at once, whatever the network does next. */
export async function forgetTask(
  deps: KeepDeps & { importQueue: ImportQueue },
  session: Session,
  uid: string,
): Promise<void> {
  const snapshot = Snapshot.catch(empty).parse(await deps.store.get('snapshot'))
  if (!snapshot.tasks) return
  const tasks = snapshot.tasks.filter((task) => task.uid !== uid)
  await forgetEnded(deps.importQueue, snapshot.tasks, tasks)
  await keepFor(deps, session, 'snapshot', { ...snapshot, tasks })
}

/** Ids of finished imports that the seller does not want to see any more. */
export const Dismissed = z.array(z.string()).catch([])

async function compose(
  { importQueue, store, inventory, version, now }: Known,
  session: Session | null,
  snapshot: Snapshot,
  trouble: Overview['trouble'],
): Promise<Overview> {
  const { jobs, scrapes } = await withoutCanceled({ store }, snapshot.jobs, await importQueue.scrapes.toArray())
  const waiting = await importQueue.outbox.toArray()
  const off = await readingOff({ store, version })
  return {
    session: session && {
      server: session.server,
      who: session.user && (session.user.email ?? session.user.username),
      key_name: session.key_name,
      can_end_key: session.key_id !== null,
      status: session.status,
    },
    platforms: platformHealth(
      snapshot.platforms,
      snapshot.as_of === null ? null : snapshot.accounts,
      Seen.parse(await store.get('seen')),
      off,
    ),
    imports: importRows(jobs, scrapes, Dismissed.parse(await store.get('dismissed')), {
      now: now(),
      pace_ms: await readPaceMs(store),
      off,
    }),
    jobs,
    tasks: snapshot.tasks,
    items: await (await inventory()).rows.count(),
    cached: await importQueue.listings.filter(({ unread }) => !unread).count(),
    unsent: waiting.reduce((sum, batch) => sum + batch.listings.length + batch.failures.length, 0),
    as_of: snapshot.as_of,
    trouble,
  }
}
