import { useEffect, useRef, useState } from 'preact/hooks'
import { errorText } from '#extension/messaging/error-text.ts'
import type { Difference, DifferenceAction, LeftDifference } from '#shared/contract/catalog/differences.ts'
import { offerUndo, useUndone } from '../components/undo-toast.tsx'
import { call } from '../host.ts'
import { canDecide } from './difference-card.tsx'
import { text } from './room-words.ts'

const done = {
  adopt: 'differences.adopted',
  overwrite: 'differences.overwritten',
  ignore: 'differences.ignored',
} as const

/**
 * Loads open differences, of one item or of all, page by page. Decided ones leave the list at once, and come back with the
 * reason if nothing could be done.
 */
export function useDifferences(item: string | null, onChanged: () => void) {
  const [list, setList] = useState<{ differences: readonly Difference[] | null; count: number }>({
    differences: null,
    count: 0,
  })
  const [problem, setProblem] = useState<string | null>(null)
  const [left, setLeft] = useState<ReadonlyMap<string, LeftDifference['reason']>>(new Map())
  const inTurn = useRef(Promise.resolve())
  const load = async (before: readonly Difference[]) => {
    setProblem(null)
    try {
      // Decided ones are gone from the server's list, so the open ones that are shown are its first.
      const answer = await call('listDifferences', {
        query: { page: String(Math.floor(before.length / 100) + 1), page_size: '100', ...(item && { item }) },
      })
      const shown = new Set(before.map(({ uid }) => uid))
      setList({
        differences: [...before, ...answer.results.filter(({ uid }) => !shown.has(uid))],
        count: answer.count,
      })
    } catch (error) {
      setProblem(errorText(error))
    }
  }
  const reload = () => load([])
  useEffect(() => void reload(), [item])
  useUndone(() => void reload())

  const decide = (action: DifferenceAction, chosen: readonly Difference[]) => {
    const ready = chosen.filter((one) => canDecide(action, one))
    if (ready.length === 0) return
    const uids = new Set(ready.map(({ uid }) => uid))
    setList((before) => ({
      differences: before.differences?.filter(({ uid }) => !uids.has(uid)) ?? null,
      count: before.count - uids.size,
    }))
    const isWorkedOff = list.differences?.length === uids.size && list.count > uids.size
    inTurn.current = inTurn.current.then(async () => {
      try {
        const answer = await call('decideDifferences', { body: { action, differences: [...uids] } })
        setLeft(new Map(answer.left.map(({ uid, reason }) => [uid, reason])))
        if (answer.done > 0)
          offerUndo(
            text(done[action], { n: answer.done }),
            answer.change?.can_undo ? answer.change.uid : null,
            answer.done,
          )
        else offerUndo(text('differences.all_left'), null)
        if (answer.left.length > 0 || isWorkedOff) await reload()
      } catch (error) {
        await reload()
        setProblem(errorText(error))
      }
      onChanged()
    })
  }
  return { ...list, problem, left, decide, reload, more: () => load(list.differences ?? []) }
}
