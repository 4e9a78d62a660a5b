import type { Alert } from '#shared/contract/orders.ts'
import type { ExtensionTask } from '#shared/contract/tasks.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { needsSeller } from './import-row.ts'
import type { Overview, PlatformHealth } from './overview.ts'

/** Everything that only the seller can do, each thing once and the most urgent first. */
export interface Needs {
  alerts: Alert[]
  tasks: ExtensionTask[]
  signedOut: PlatformHealth[]
  imports: Overview['imports']
  /** Tasks that Hapax tried to do by itself and left to the seller. */
  stopped: ReadonlySet<string>
  /** Listings of bulk jobs that wait for an answer, on each platform. */
  unanswered: { platform: PlatformSlug; n: number }[]
}

/** Collects what needs the seller. A task or a lost connection that an alert speaks of is not repeated. */
export function collectNeeds({ alerts, tasks, platforms, imports, unanswered }: Overview): Needs {
  const lost = new Set(alerts.flatMap(({ kind, platform }) => (kind === 'connection_lost' ? [platform] : [])))
  const told = new Set(alerts.map(({ task_uid }) => task_uid))
  return {
    alerts: alerts.toSorted((one, other) => other.urgency - one.urgency || byAge(one, other)),
    tasks: (tasks ?? [])
      .filter(({ uid }) => !told.has(uid))
      .sort((one, other) => taskOrder.indexOf(one.kind) - taskOrder.indexOf(other.kind)),
    signedOut: platforms.filter(({ health, slug }) => health === 'needs_you' && !lost.has(slug)),
    imports: imports.filter(needsSeller),
    stopped: new Set((tasks ?? []).flatMap(({ uid, attempt }) => (attempt?.result ? [uid] : []))),
    unanswered: platforms.flatMap(({ slug }) => {
      const n = unanswered[slug] ?? 0
      return n > 0 ? [{ platform: slug, n }] : []
    }),
  }
}

/**
 * Puts the sold item first that has been live the longest: it is the most likely to sell again. Those that the seller says
 * to have ended come last.
 */
function byAge(one: Alert, other: Alert): number {
  if (one.kind !== 'delist_overdue' || other.kind !== one.kind) return 0
  const isSaid = ({ ended_said_at }: Alert) => Number(ended_said_at !== undefined)
  return isSaid(one) - isSaid(other) || one.since.localeCompare(other.since)
}

const taskOrder: ExtensionTask['kind'][] = ['delist', 'cancel_order', 'list']

/** Returns the number shown beside "Needs you" and on the toolbar button. */
export function countNeeds(overview: Overview): number {
  const { alerts, tasks, signedOut, imports, unanswered } = collectNeeds(overview)
  return alerts.length + tasks.length + signedOut.length + imports.length + unanswered.length
}

const lowRisk: ReadonlySet<Alert['kind']> = new Set([
  'relist_offer',
  'sale_refunded',
  'listing_expired',
  'sold_while_withdrawn',
  'update_refused',
  'listing_refused',
])

/** Returns whether an item may be sold to two buyers, or a sale may be missed: shown in red. */
export function isUrgent({ kind }: Alert): boolean {
  return !lowRisk.has(kind)
}

/** Returns the number of matters in red. */
export const countUrgent = ({ alerts }: Pick<Overview, 'alerts'>): number => alerts.filter(isUrgent).length
