import { useEffect, useRef, useState } from 'preact/hooks'
import { errorText } from '#extension/messaging/error-text.ts'
import type { OperationAnswer } from '#extension/messaging/operations.ts'
import type { CertaintyGroup, Conflict } from '#shared/contract/catalog/imports.ts'
import { call } from '../host.ts'
import { rememberConflicts } from './next-conflict.ts'

/** A group of the list. The photos of `comparing` are still being compared, so its matches are of no certainty yet. */
export type Group = CertaintyGroup | 'comparing'

type Groups = Record<Group, number>

/** Returns the group that a conflict is shown in. */
export const groupOf = ({ item: { match } }: Conflict): Group =>
  match?.photos === 'comparing' ? 'comparing' : (match?.certainty ?? 'other')

/** Milliseconds between two looks at what is compared by now. */
const lookEveryMs = 3_000

type Answer = OperationAnswer<'listConflicts'>

interface Shown extends Pick<Answer, 'linkable' | 'as_of'> {
  conflicts: readonly Conflict[] | null
  groups: Groups
}

const nothing: Shown = { conflicts: null, groups: { certain: 0, likely: 0, unsure: 0, other: 0, comparing: 0 } }

export type ConflictList = ReturnType<typeof useConflicts>

/** Loads the open conflicts page by page, leaves out what was decided, and regroups them while photos are compared. */
export function useConflicts(job: string | null) {
  const [shown, setShown] = useState(nothing)
  const { conflicts, groups } = shown
  const [problem, setProblem] = useState<string | null>(null)
  /** Decided here, perhaps not on the server yet. */
  const removed = useRef(new Set<string>())
  const loads = useRef({ newest: 0, open: 0 })
  /** Adds pages to conflicts that are shown, unless another load began meanwhile. */
  const load = async (before: readonly Conflict[], pages: readonly number[]) => {
    const number = ++loads.current.newest
    loads.current.open++
    try {
      let list = before
      let last: Answer | null = null
      for (const page of pages) {
        last = await call('listConflicts', {
          query: { page: String(page), page_size: '100', ...(job && { job_uid: job }) },
        })
        const known = new Set(list.map(({ item }) => item.id))
        list = [...list, ...last.results.filter(({ item }) => !known.has(item.id))]
      }
      if (number !== loads.current.newest || !last) return
      const { groups, comparing = 0, linkable, as_of } = last
      const read = { conflicts: list, groups: { ...groups, comparing }, linkable, as_of }
      setShown(without(read, removed.current))
      setProblem(null)
    } catch (error) {
      setProblem(errorText(error))
    } finally {
      loads.current.open--
    }
  }
  const reload = () => {
    removed.current.clear()
    return load([], [1])
  }
  const refresh = useRef(() => {})
  refresh.current = () => {
    const pages = Math.max(1, Math.ceil((conflicts?.length ?? 0) / 100))
    if (!document.hidden && loads.current.open === 0)
      void load(
        [],
        Array.from({ length: pages }, (_, index) => index + 1),
      )
  }
  useEffect(() => void reload(), [job])
  useEffect(() => rememberConflicts(conflicts ?? []), [conflicts])
  const isComparing = groups.comparing > 0
  useEffect(() => {
    if (!isComparing) return
    const timer = setInterval(() => refresh.current(), lookEveryMs)
    return () => clearInterval(timer)
  }, [isComparing])
  return {
    ...shown,
    count: Object.values(groups).reduce((sum, n) => sum + n, 0),
    problem,
    reload,
    // Decided ones are gone from the server's list, so the open ones that are shown are its first.
    more: () => load(conflicts ?? [], [Math.floor((conflicts?.length ?? 0) / 100) + 1]),
    /** Takes conflicts off the list. Those that are not on it change nothing. */
    remove: (ids: ReadonlySet<string>) => {
      for (const id of ids) removed.current.add(id)
      setShown((before) => without(before, ids))
    },
  }
}

function without(shown: Shown, ids: ReadonlySet<string>): Shown {
  const groups = { ...shown.groups }
  for (const conflict of shown.conflicts ?? []) if (ids.has(conflict.item.id)) groups[groupOf(conflict)] -= 1
  return { ...shown, conflicts: shown.conflicts?.filter(({ item }) => !ids.has(item.id)) ?? null, groups }
}
