import { z } from 'zod'
import type { Overview } from '#extension/messaging/overview.ts'
import type { ImportQueue } from '#extension/storage/import-queue/database.ts'
import type { InventoryCache } from '#extension/storage/inventory-cache/database.ts'
import { HapaxError } from '#shared/client/error.ts'
import { CheckKind, listChecks } from '#shared/contract/catalog/checks.ts'
import { ImportJob, listImportJobs } from '#shared/contract/catalog/imports.ts'
import { listPlatforms, listSellerAccounts, Platform, SellerAccount } from '#shared/contract/connections.ts'
import {
  Alert,
  dismissAlert as dismissOperation,
  listAlerts,
  nameSoldItem,
  retryAlert as retryOperation,
  sayListingEnded,
} from '#shared/contract/selling/orders.ts'
import { getShipmentTotals, ShipmentTotals } from '#shared/contract/selling/shipments.ts'
import { ExtensionTask } from '#shared/contract/selling/tasks.ts'
import { listUnanswered } from '#shared/contract/selling/unanswered.ts'
import { PlatformSlug } from '#shared/platforms.ts'
import { readingOff } from '../catalogue.ts'
import { readPaceMs } from '../context.ts'
import { endIfRefused } from '../session/confirm-refusal.ts'
import { accountOf, readSession, type Session } from '../session/session.ts'
import type { Store } from '../session/store.ts'
import { type KeepDeps, storeForSession } from '../session/store-for-session.ts'
import { readTakeDownState } from '../take-downs/state.ts'
import { readOpenTasks } from '../tasks/read-open-tasks.ts'
import { withoutCanceled } from '../upload/cancel-import.ts'
import { markEndedUnsent } from '../upload/mark-unsent.ts'
import type { PushDeps } from '../upload/push.ts'
import { wireError } from '../wire-error.ts'
import { importRows } from './import-rows.ts'
import { platformHealth, Seen } from './platform-health.ts'

type Deps = Pick<PushDeps, 'importQueue' | 'store' | 'clientOf' | 'now' | 'locks'> & {
  inventory: () => Promise<InventoryCache>
  version: string
}
type Known = Pick<Deps, 'importQueue' | 'store' | 'inventory' | 'version' | 'now'>

const noShipments: ShipmentTotals = { to_ship: 0, late: 0, refused: 0, next_ship_by: null }

/** The server's last answers, kept to show the popup at once and offline. */
const Snapshot = z.object({
  as_of: z.number().nullable(),
  /** When the server was asked. */
  asked_at: z.number().default(0),
  platforms: z.array(Platform),
  accounts: z.array(SellerAccount),
  jobs: z.array(ImportJob),
  /** Null if the key lacks the scope. */
  tasks: z.array(ExtensionTask).nullable().default([]),
  alerts: z.array(Alert).default([]),
  checks: z.partialRecord(CheckKind, z.number()).catch({}),
  unanswered: z.partialRecord(PlatformSlug, z.number()).default({}),
  shipments: ShipmentTotals.default(noShipments),
})
type Snapshot = z.infer<typeof Snapshot>
const empty: Snapshot = {
  ...{ as_of: null, asked_at: 0, platforms: [], accounts: [], jobs: [], tasks: [], alerts: [] },
  checks: {},
  unanswered: {},
  shipments: noShipments,
}

/** Returns the overview from local data. */
export async function recallOverview(known: Known): Promise<Overview> {
  const session = await readSession(known.store)
  const snapshot = Snapshot.catch(empty).parse(await known.store.get('snapshot'))
  return compose(known, session, snapshot, null)
}

/** Returns the overview from the server. Errors keep the last data and add the trouble. */
export async function readOverview(deps: Deps): Promise<Overview> {
  const session = await readSession(deps.store)
  if (session?.status !== 'active') return recallOverview(deps)
  try {
    const asked_at = deps.now()
    const call = deps.clientOf(session)
    const [platforms, accounts, jobs, tasks, { results: alerts }, found, waiting, parcels] = await Promise.all([
      call(listPlatforms, {}),
      call(listSellerAccounts, {}),
      call(listImportJobs, {}),
      readOpenTasks(call).catch(nullWithoutScope),
      call(listAlerts, { query: { page_size: '100' } }),
      call(listChecks, { query: { page_size: '1' } }),
      call(listUnanswered, { query: { page_size: '1' } }).catch(nullWithoutScope),
      call(getShipmentTotals, {}),
    ])
    const stored = Snapshot.catch(empty).parse(await deps.store.get('snapshot'))
    // Answers that were asked for later came first: a new task or shop would be gone again. A clock that was set back asks
    // for none later.
    const isOlder = stored.asked_at > asked_at && stored.asked_at <= deps.now()
    if (isOlder) return compose(deps, session, stored, null)
    // Before storing the new tasks, so that a killed worker repeats this.
    await markEndedUnsent(deps.importQueue, await recallTasks(deps.store), tasks ?? [])
    const { to_ship, late, refused, next_ship_by } = parcels
    const snapshot: Snapshot = {
      ...{ as_of: deps.now(), asked_at, platforms, accounts, jobs, tasks, alerts, checks: found.counts },
      unanswered: waiting?.counts ?? {},
      shipments: { to_ship, late, refused, next_ship_by },
    }
    await storeForSession(deps, session, 'snapshot', snapshot)
    return compose(deps, session, snapshot, null)
  } catch (error) {
    await endIfRefused(deps, session, error)
    return { ...(await recallOverview(deps)), trouble: wireError(error) }
  }
}

/** Pasted keys may lack the scope for tasks or listings. Everything else works. */
function nullWithoutScope(error: unknown): null {
  if (error instanceof HapaxError && error.code === 'insufficient_scope') return null
  throw error
}

/** Returns the tasks of the last overview, or none without the scope. */
export async function recallTasks(store: Store): Promise<ExtensionTask[]> {
  return Snapshot.catch(empty).parse(await store.get('snapshot')).tasks ?? []
}

/**
 * Reads the open tasks alone, such as one that a sale has made a moment ago, and adds those that the local data lacks.
 * Returns true if there are any. Throws the client's errors.
 */
export async function readNewTasks(deps: KeepDeps & Pick<Deps, 'clientOf'>, session: Session): Promise<boolean> {
  const open = await readOpenTasks(deps.clientOf(session)).catch(nullWithoutScope)
  const snapshot = Snapshot.catch(empty).parse(await deps.store.get('snapshot'))
  const known = new Set(snapshot.tasks?.map(({ uid }) => uid))
  const added = open?.filter(({ uid }) => !known.has(uid)) ?? []
  if (added.length === 0) return false
  await storeForSession(deps, session, 'snapshot', { ...snapshot, tasks: [...added, ...(snapshot.tasks ?? [])] })
  return true
}

/** Adds a new job to the local data, to show it before the next request. */
export async function rememberJob(deps: KeepDeps, session: Session, job: ImportJob): Promise<void> {
  const snapshot = Snapshot.catch(empty).parse(await deps.store.get('snapshot'))
  const jobs = [job, ...snapshot.jobs.filter((one) => one.id !== job.id)]
  await storeForSession(deps, session, 'snapshot', { ...snapshot, jobs })
}

/** Removes a finished task, and the alert that speaks of nothing else, from the local data, to hide them at once. */
export async function removeTask(
  deps: KeepDeps & { importQueue: ImportQueue },
  session: Session,
  uid: string,
): Promise<void> {
  const snapshot = Snapshot.catch(empty).parse(await deps.store.get('snapshot'))
  if (!snapshot.tasks) return
  const tasks = snapshot.tasks.filter((task) => task.uid !== uid)
  await markEndedUnsent(deps.importQueue, snapshot.tasks, tasks)
  const alerts = snapshot.alerts.filter(
    ({ task_uid, progress }) => task_uid !== uid || progress.state !== 'waiting_for_seller',
  )
  await storeForSession(deps, session, 'snapshot', { ...snapshot, tasks, alerts })
}

/** Dismisses an alert on the server and removes it from the local data. */
export async function dismissAlert(
  deps: KeepDeps & Pick<Deps, 'clientOf'>,
  session: Session,
  uid: string,
): Promise<void> {
  await deps.clientOf(session)(dismissOperation, { params: { uid } })
  const snapshot = Snapshot.catch(empty).parse(await deps.store.get('snapshot'))
  const alerts = snapshot.alerts.filter((alert) => alert.uid !== uid)
  await storeForSession(deps, session, 'snapshot', { ...snapshot, alerts })
}

/**
 * Has the server try at once what an alert waits for, or tells it that the seller has ended the listing or which item was
 * sold, and shows that in the local data.
 */
export async function actOnAlert(
  deps: KeepDeps & Pick<Deps, 'clientOf'>,
  session: Session,
  uid: string,
  act: 'retry' | 'ended' | { item_uid: string | null },
): Promise<Alert> {
  const call = deps.clientOf(session)
  const params = { uid }
  const changed =
    typeof act === 'object'
      ? await call(nameSoldItem, { params, body: act })
      : await call(act === 'retry' ? retryOperation : sayListingEnded, { params })
  const snapshot = Snapshot.catch(empty).parse(await deps.store.get('snapshot'))
  const alerts = snapshot.alerts.map((alert) => (alert.uid === uid ? changed : alert)).filter(isOpen)
  await storeForSession(deps, session, 'snapshot', { ...snapshot, alerts })
  return changed
}

const isOpen = ({ state }: Alert) => state === 'open'

/** Ids of finished imports, and of what else the seller has put away. */
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
  const dismissed = Dismissed.parse(await store.get('dismissed'))
  return {
    session: session && {
      server: session.server,
      account: await accountOf(session),
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
    shops: snapshot.accounts.filter(({ status }) => status !== 'revoked'),
    imports: importRows(jobs, scrapes, dismissed, {
      now: now(),
      pace_ms: await readPaceMs(store),
      off,
    }),
    jobs,
    tasks: snapshot.tasks,
    takeDowns: await readTakeDownState(store),
    alerts: snapshot.alerts,
    unanswered: snapshot.unanswered,
    checks: snapshot.checks,
    shipments: snapshot.shipments,
    dismissed,
    items: await (await inventory()).rows.count(),
    cached: await importQueue.listings.filter(({ unread }) => !unread).count(),
    unsent: waiting.reduce((sum, batch) => sum + batch.listings.length + batch.failures.length, 0),
    as_of: snapshot.as_of,
    trouble,
  }
}
