import { useEffect, useState } from 'preact/hooks'
import { errorText } from '#extension/messaging/error-text.ts'
import { send } from '#extension/messaging/send.ts'
import type { CertaintyGroup, Conflict } from '#shared/contract/imports.ts'
import { rememberConflicts } from '../next-conflict.ts'

/** Numbers of open conflicts by certainty. */
export type Groups = Record<CertaintyGroup, number>

/** Returns the group that a conflict is shown in. */
export const groupOf = ({ item }: Conflict): CertaintyGroup => item.match?.certainty ?? 'other'

const noGroups: Groups = { certain: 0, likely: 0, unsure: 0, other: 0 }

export type ConflictList = ReturnType<typeof useConflicts>

/** Loads the open conflicts page by page, and leaves out what was decided. */
export function useConflicts(job: string | null) {
  const [{ conflicts, groups }, setList] = useState<{ conflicts: readonly Conflict[] | null; groups: Groups }>({
    conflicts: null,
    groups: noGroups,
  })
  const [problem, setProblem] = useState<string | null>(null)
  const load = async (before: readonly Conflict[]) => {
    setProblem(null)
    try {
      // Decided ones are gone from the server's list, so the open ones that are shown are its first.
      const page = Math.floor(before.length / 100) + 1
      const answer = await send('conflicts.list', { job, page })
      const shown = new Set(before.map(({ item }) => item.id))
      const added = answer.results.filter(({ item }) => !shown.has(item.id))
      setList({ conflicts: [...before, ...added], groups: answer.groups })
    } catch (error) {
      setProblem(errorText(error))
    }
  }
  useEffect(() => void load([]), [job])
  useEffect(() => rememberConflicts(conflicts ?? []), [conflicts])
  return {
    conflicts,
    groups,
    count: Object.values(groups).reduce((sum, n) => sum + n, 0),
    problem,
    reload: () => load([]),
    more: () => load(conflicts ?? []),
    /** Takes conflicts off the list. Those that are not on it change nothing. */
    remove: (ids: ReadonlySet<string>) =>
      setList((before) => {
        const groups = { ...before.groups }
        for (const conflict of before.conflicts ?? []) if (ids.has(conflict.item.id)) groups[groupOf(conflict)] -= 1
        return { conflicts: before.conflicts?.filter(({ item }) => !ids.has(item.id)) ?? null, groups }
      }),
  }
}
