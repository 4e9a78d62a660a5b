import type { ExtensionTask } from '#shared/contract/tasks.ts'

const urgency: Record<ExtensionTask['kind'], number> = { delist: 0, cancel_order: 1, list: 2 }

/** What cannot wait first: a thing that is sold and still up may be sold again. Else in the order given. */
export function byUrgency(tasks: readonly ExtensionTask[]): ExtensionTask[] {
  return [...tasks].sort((one, other) => urgency[one.kind] - urgency[other.kind])
}
