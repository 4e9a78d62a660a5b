import type { Alert } from '#shared/contract/selling/orders.ts'
import type { ExtensionTask } from '#shared/contract/selling/tasks.ts'

/** A notification: one alert or task, or their number. */
export type TaskNotification =
  | { kind: 'alert'; alert: Alert }
  | { kind: 'alerts'; alerts: Alert[] }
  | { kind: 'one'; task: ExtensionTask }
  | { kind: 'many'; tasks: ExtensionTask[] }

const waiting: ReadonlySet<Alert['kind']> = new Set(['update_refused', 'listing_refused'])

/**
 * Decides what to notify the seller of, given the uids of earlier notifications. Only alerts and tasks to end a sold
 * item's listing are urgent enough; a refused edit or listing waits. A task that an alert covers is not repeated.
 * Returns the notification, or null if nothing is new, and the open uids to remember.
 */
export function decideNotification(
  open: { alerts: readonly Alert[]; tasks: readonly ExtensionTask[] },
  notified: readonly string[],
): { notification: TaskNotification | null; notified: string[] } {
  const covered = new Set(open.alerts.map(({ task_uid }) => task_uid))
  const urgent = open.tasks.filter((task) => task.kind === 'delist' && !covered.has(task.uid))
  const alerts = open.alerts.filter(({ uid, kind }) => !waiting.has(kind) && !notified.includes(uid))
  const tasks = urgent.filter(({ uid }) => !notified.includes(uid))
  return { notification: notificationOf(alerts, tasks), notified: [...open.alerts, ...urgent].map(({ uid }) => uid) }
}

function notificationOf(alerts: Alert[], tasks: ExtensionTask[]): TaskNotification | null {
  const [alert] = alerts
  if (alert) return alerts.length === 1 ? { kind: 'alert', alert } : { kind: 'alerts', alerts }
  const [task] = tasks
  if (!task) return null
  return tasks.length === 1 ? { kind: 'one', task } : { kind: 'many', tasks }
}
