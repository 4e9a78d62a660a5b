import type { ExtensionTask } from '#shared/contract/tasks.ts'

/** A notification about one task or about several. */
export type TaskNotification = { kind: 'one'; task: ExtensionTask } | { kind: 'many'; tasks: ExtensionTask[] }

/**
 * Decides which open tasks to notify about: only new ones to end a listing of a sold item, since those cannot wait.
 * Returns the uids to remember, which are open ones only.
 */
export function decideNotification(
  open: readonly ExtensionTask[],
  notified: readonly string[],
): { notification: TaskNotification | null; notified: string[] } {
  const urgent = open.filter((task) => task.kind === 'delist')
  const fresh = urgent.filter((task) => !notified.includes(task.uid))
  const [first] = fresh
  const notification: TaskNotification | null = !first
    ? null
    : fresh.length === 1
      ? { kind: 'one', task: first }
      : { kind: 'many', tasks: fresh }
  return { notification, notified: urgent.map((task) => task.uid) }
}
