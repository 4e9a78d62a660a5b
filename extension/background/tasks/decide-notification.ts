import type { ExtensionTask } from '#shared/contract/tasks.ts'

/** What is said in a notification: one task by itself, or how many there are. */
export type TaskNotification = { kind: 'one'; task: ExtensionTask } | { kind: 'many'; tasks: ExtensionTask[] }

/**
 * What to tell of the open tasks, given those that were told before: only what sold elsewhere and is still up, since
 * that is the one thing that cannot wait. Returns the notice (null: nothing new) and the uids to remember as told, which
 * are the open ones only.
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
