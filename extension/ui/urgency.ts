import type { ExtensionTask } from '#shared/contract/tasks.ts'

const urgency: Record<ExtensionTask['kind'], number> = { delist: 0, cancel_order: 1, list: 2 }

/** Sorts tasks by urgency: a sold item that is still live may sell again. Keeps the order otherwise. */
export function byUrgency(tasks: readonly ExtensionTask[]): ExtensionTask[] {
  return [...tasks].sort((one, other) => urgency[one.kind] - urgency[other.kind])
}
