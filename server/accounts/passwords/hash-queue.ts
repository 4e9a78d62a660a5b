import { type PiscinaTask, queueOptionsSymbol, type TaskQueue } from 'piscina'

/**
 * The order of hashing. `known`: the client has a token or a link from the mailbox, or its network signed in to the account
 * before.
 */
export type HashPriority = 'known' | 'unknown'

type Task = Parameters<TaskQueue['push']>[0]

interface HashQueue extends TaskQueue {
  waiting: Record<HashPriority, Task[]>
}

/** Marks a task with its priority. */
export const withPriority = <Work extends object>(work: Work, priority: HashPriority) => ({
  ...work,
  [queueOptionsSymbol]: { priority },
})

/** Creates a queue that serves known clients first, and one priority in the order of arrival. */
export function createHashQueue(): HashQueue {
  const waiting: HashQueue['waiting'] = { known: [], unknown: [] }
  const groupOf = (task: Task) =>
    waiting[((task as PiscinaTask)[queueOptionsSymbol] as { priority: HashPriority }).priority]
  return {
    waiting,
    get size() {
      return waiting.known.length + waiting.unknown.length
    },
    push: (task) => void groupOf(task).push(task),
    unshift: (task) => void groupOf(task).unshift(task),
    shift: () => waiting.known.shift() ?? waiting.unknown.shift() ?? null,
    remove(task) {
      const place = groupOf(task).indexOf(task)
      if (place >= 0) groupOf(task).splice(place, 1)
    },
  }
}
