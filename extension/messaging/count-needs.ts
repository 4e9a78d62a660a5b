import type { CheckKind } from '#shared/contract/catalog/checks.ts'
import type { Alert } from '#shared/contract/selling/orders.ts'
import type { ExtensionTask } from '#shared/contract/selling/tasks.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { isAsking, needsSeller } from './import-row.ts'
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
  /** Findings of the checks, without sold items that an alert speaks of. */
  findings: { kind: CheckKind; n: number }[]
}

/** Collects what needs the seller. A task or a lost connection that an alert speaks of is not repeated. */
export function collectNeeds({ alerts, tasks, platforms, imports, unanswered, checks }: Overview): Needs {
  const lost = new Set(alerts.flatMap(({ kind, platform }) => (kind === 'connection_lost' ? [platform] : [])))
  const told = new Set(alerts.map(({ task_uid }) => task_uid))
  const overdue = alerts.filter(({ kind }) => kind === 'delist_overdue')
  const soldLive = new Set(overdue.map(({ inventory_item_uid }) => inventory_item_uid)).size
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
    findings: (Object.entries(checks) as [CheckKind, number][]).flatMap(([kind, count]) => {
      const n = count - (kind === 'sold_live' ? soldLive : 0)
      return n > 0 ? [{ kind, n }] : []
    }),
  }
}

/** Puts the oldest danger first, and last what the seller says to have ended. */
function byAge(one: Alert, other: Alert): number {
  const isSaid = ({ ended_said_at }: Alert) => Number(ended_said_at !== undefined)
  return isSaid(one) - isSaid(other) || one.since.localeCompare(other.since)
}

const taskOrder: ExtensionTask['kind'][] = ['delist', 'cancel_order', 'list']

/** Returns the number of rows. Listings that imports ask about, and findings, have one for all. */
export function countRows({ alerts, tasks, signedOut, imports, unanswered, findings }: Needs): number {
  const asked = imports.filter(isAsking)
  const rows = alerts.length + tasks.length + signedOut.length + imports.length - asked.length + unanswered.length
  return rows + Number(asked.length > 0) + Number(findings.length > 0)
}

/** Returns the number shown beside "Needs you" and on the toolbar button. */
export function countNeeds(overview: Overview): number {
  return countRows(collectNeeds(overview))
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
