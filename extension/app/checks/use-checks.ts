import { useEffect, useRef, useState } from 'preact/hooks'
import { errorText } from '#extension/messaging/error-text.ts'
import type { Check, CheckKind } from '#shared/contract/catalog/checks.ts'
import { offerUndo } from '../components/undo-toast.tsx'
import { call } from '../host.ts'
import { text } from './words.ts'

interface Findings {
  /** Null until they are read. */
  checks: readonly Check[] | null
  count: number
  counts: Partial<Record<CheckKind, number>>
  checked_at: string | null
}

/** Loads what is not as it should be, page by page, and mends it. */
export function useChecks(onChanged: () => void) {
  const [list, setList] = useState<Findings>({ checks: null, count: 0, counts: {}, checked_at: null })
  const [problem, setProblem] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const inTurn = useRef(Promise.resolve())
  const pending = useRef(0)

  const load = async (before: readonly Check[]) => {
    const answer = await call('listChecks', {
      query: { page: String(Math.floor(before.length / 100) + 1), page_size: '100' },
    })
    const shown = new Set(before.map(({ uid }) => uid))
    const checks = [...before, ...answer.results.filter(({ uid }) => !shown.has(uid))]
    setList({ checks, count: answer.count, counts: answer.counts, checked_at: answer.checked_at })
  }
  /** Runs acts one after another, and reads the list again. A finding that is acted on leaves it at once. */
  const act = (run: () => Promise<unknown>, about: Check | null = null) => {
    if (about) {
      const others = (those: readonly Check[]) => those.filter(({ uid }) => uid !== about.uid)
      setList((before) => ({
        ...before,
        checks: before.checks && others(before.checks),
        count: before.count - 1,
        counts: { ...before.counts, [about.kind]: (before.counts[about.kind] ?? 1) - 1 },
      }))
    }
    // A failure stays said while other findings are answered.
    if (pending.current === 0) setProblem(null)
    pending.current++
    setBusy(true)
    inTurn.current = inTurn.current.then(async () => {
      try {
        await run()
      } catch (error) {
        setProblem(errorText(error))
      }
      pending.current--
      // The last act of a row reads the list, so that none comes back while others wait.
      if (pending.current > 0) return
      await load([]).catch((error: unknown) => setProblem(errorText(error)))
      setBusy(false)
      onChanged()
    })
  }
  useEffect(() => act(async () => {}), [])

  return {
    ...list,
    problem,
    busy,
    reload: () => act(async () => {}),
    more: () => void load(list.checks ?? []).catch((error: unknown) => setProblem(errorText(error))),
    run: () => act(() => call('runChecks', {})),
    mend: (check: Check) =>
      act(async () => {
        const { status } = await call('mendCheck', { params: { uid: check.uid }, body: {} })
        offerUndo(text(`checks.${status}`), null)
      }, check),
    free: (check: Check) =>
      act(async () => {
        const { change_uid } = await call('takeBackSale', { params: { uid: check.inventory_item_uid! }, body: {} })
        offerUndo(text('checks.freed'), change_uid ?? null)
      }, check),
    dismiss: (check: Check) =>
      act(async () => {
        await call('dismissCheck', { params: { uid: check.uid } })
        offerUndo(text('checks.dismissed'), null)
      }, check),
  }
}
