import type { Conflict } from '#shared/contract/catalog/imports.ts'

/** The conflicts of the list that was shown last, in its order. */
let queue: readonly Conflict[] = []

/** Remembers the list, so that a decision on a conflict's own page leads to the next one. */
export function rememberConflicts(conflicts: readonly Conflict[]): void {
  queue = conflicts
}

/** Returns the conflict after a decided one, or null at the end and for one of another list. */
export function nextConflict(decided: string): Conflict | null {
  const index = queue.findIndex(({ item }) => item.id === decided)
  if (index === -1) return null
  queue = queue.filter(({ item }) => item.id !== decided)
  return queue[index] ?? queue[0] ?? null
}
