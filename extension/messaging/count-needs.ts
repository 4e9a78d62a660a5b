import type { Alarm } from '#shared/contract/orders.ts'
import type { ExtensionTask } from '#shared/contract/tasks.ts'
import { needsSeller } from './import-row.ts'
import type { Overview, PlatformHealth } from './overview.ts'

/** Everything that only the seller can do, each thing once and the most urgent first. */
export interface Needs {
  alerts: Alarm[]
  tasks: ExtensionTask[]
  signedOut: PlatformHealth[]
  imports: Overview['imports']
}

/** Collects what needs the seller. A task or a lost connection that an alert speaks of is not repeated. */
export function collectNeeds({ alerts, tasks, platforms, imports }: Overview): Needs {
  const lost = new Set(alerts.flatMap(({ kind, platform }) => (kind === 'connection_lost' ? [platform] : [])))
  const told = new Set(alerts.map(({ task_uid }) => task_uid))
  return {
    alerts,
    tasks: (tasks ?? []).filter(({ uid }) => !told.has(uid)),
    signedOut: platforms.filter(({ health, slug }) => health === 'needs_you' && !lost.has(slug)),
    imports: imports.filter(needsSeller),
  }
}

/** Returns the number shown beside "Needs you" and on the toolbar button. */
export function countNeeds(overview: Overview): number {
  const { alerts, tasks, signedOut, imports } = collectNeeds(overview)
  return alerts.length + tasks.length + signedOut.length + imports.length
}
