import type { ExtensionTask } from '#shared/contract/tasks.ts'

/** What is said in a notification: one task by itself, or how many there are. */
export type TaskNotice = { kind: 'one'; task: ExtensionTask } | { kind: 'many'; tasks: ExtensionTask[] }

/**
 * What to tell of the open tasks, given those that were told before: only what sold elsewhere and is still up, since
 * that is the one thing that cannot wait. Returns the notice (null: nothing new) and the uids to remember as told, which
 * are the open ones only.
 */
export function decideNotice(
  open: readonly ExtensionTask[],
  told: readonly string[],
): { notice: TaskNotice | null; told: string[] } {
  const urgent = open.filter((task) => task.kind === 'delist')
  const fresh = urgent.filter((task) => !told.includes(task.uid))
  const [first] = fresh
  const notice: TaskNotice | null = !first
    ? null
    : fresh.length === 1
      ? { kind: 'one', task: first }
      : { kind: 'many', tasks: fresh }
  return { notice, told: urgent.map((task) => task.uid) }
}
