import { useRef, useState } from 'preact/hooks'
import { errorText } from '#extension/messaging/error-text.ts'
import type { OperationAnswer, OperationRequest } from '#extension/messaging/operations.ts'
import type { CertaintyGroup, Conflict } from '#shared/contract/catalog/imports.ts'
import { platformOf } from '#shared/platforms.ts'
import { offerUndo } from '../components/undo-toast.tsx'
import { call } from '../host.ts'
import { canKeep, canLink, isTwin, skuOf } from './conflict-card.tsx'
import type { ConflictList } from './use-conflicts.ts'
import { text } from './words.ts'

export type Decision = 'link_existing' | 'skip'

/** Decides conflicts of a list: some by hand, or a whole group. */
export function useDecisions(
  list: ConflictList,
  page: { onResolved: (ids: ReadonlySet<string>) => void; onChanged: () => void; focusAfterRender: () => void },
) {
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map())
  const [failure, setFailure] = useState<string | null>(null)
  const inTurn = useRef(Promise.resolve())
  // All that was loaded is decided, and the server has more.
  const isWorkedOff = useRef(false)
  isWorkedOff.current = list.conflicts?.length === 0 && list.count > 0

  /** Sends a decision after those before it. The conflicts come back if it fails. */
  const sendInTurn = (request: () => Promise<void>) => {
    inTurn.current = inTurn.current.then(async () => {
      setFailure(null)
      try {
        await request()
      } catch (error) {
        setFailure(errorText(error))
        await list.reload()
      }
      page.onChanged()
    })
  }
  const take = ({ results }: Outcomes) => {
    const resolved = new Set(results.filter(({ outcome }) => outcome === 'resolved').map(({ item_uid }) => item_uid))
    list.remove(resolved)
    page.onResolved(resolved)
    setProblems(new Map(results.flatMap(({ item_uid, message }) => (message ? [[item_uid, message]] : []))))
    return resolved.size
  }
  /**
   * Decides conflicts. They leave the list at once, so that the next key is about the next one, and come back if they could
   * not be decided. Requests are sent in turn.
   */
  const decide = (decision: Decision, chosen: readonly Conflict[]) => {
    const ready = decision === 'skip' ? chosen : chosen.filter(canLink)
    if (ready.length === 0) return
    page.focusAfterRender()
    list.remove(new Set(ready.map(({ item }) => item.id)))
    const items = ready.map(({ job_uid, item, existing }) => ({
      ...{ job_uid, item_uid: item.id },
      // A photo that is compared meanwhile may find another item.
      ...(decision === 'link_existing' && existing ? { inventory_item_uid: existing.uid } : {}),
    }))
    sendInTurn(async () => {
      const answer = await resolve(decision, items)
      const resolved = take(answer)
      if (resolved > 0) say(decision, resolved, answer.change_uid)
      if (resolved < items.length || isWorkedOff.current) await list.reload()
    })
  }
  /** Links a listing with its item, or says why that is not offered. */
  const link = (conflict: Conflict) => {
    if (!isTwin(conflict)) return decide('link_existing', [conflict])
    const platform = platformOf(conflict.marketplace).name
    setProblems(new Map([[conflict.item.id, text('conflict.already_live', { platform })]]))
  }
  /** Makes a listing an item of its own. */
  const keep = (conflict: Conflict) => {
    const sku = canKeep(conflict) ? skuOf(conflict) : null
    if (sku === null) return
    const { job_uid, item } = conflict
    page.focusAfterRender()
    list.remove(new Set([item.id]))
    sendInTurn(async () => {
      const { change_uid } = await call('resolveImportItem', {
        params: { uid: job_uid, item_uid: item.id },
        body: { resolution: 'create_new', ...(sku === '' ? {} : { sku }) },
      })
      offerUndo(text('decide.kept'), change_uid)
      if (isWorkedOff.current) await list.reload()
    })
  }
  /** Decides a whole group, also the part of it that is not loaded. */
  const decideGroup = async (decision: Decision, job: string | null, certainty: CertaintyGroup) => {
    let done = 0
    let from: Pick<Outcomes, 'next' | 'change_uid'> = { next: null, change_uid: null }
    do {
      const answer: Outcomes = await resolveNext(decision, { job, certainty, as_of: list.as_of }, from)
      done += take(answer)
      say(decision, done, answer.change_uid)
      from = answer
    } while (from.next)
    await list.reload()
    page.onChanged()
  }
  return { problems, failure, decide, link, keep, decideGroup }
}

function say(decision: Decision, n: number, change: string | null): void {
  if (n === 0) offerUndo(text('decide.all_left'), null)
  else offerUndo(text(decision === 'skip' ? 'decide.skipped' : 'decide.linked', { n }), change, n)
}

type Outcomes = OperationAnswer<'resolveConflicts'>

function resolve(
  resolution: Decision,
  items: OperationRequest<'resolveConflicts'>['body']['items'],
): Promise<Outcomes> {
  return call('resolveConflicts', { body: { resolution, items } })
}

/** Decides the next open ones of a certainty, as part of the change that the request before began. */
function resolveNext(
  resolution: Decision,
  { job, certainty, as_of }: { job: string | null; certainty: CertaintyGroup; as_of: string | undefined },
  { next, change_uid }: Pick<Outcomes, 'next' | 'change_uid'>,
): Promise<Outcomes> {
  return call('resolveConflicts', {
    body: {
      ...{ resolution, certainty },
      ...(job ? { job_uid: job } : {}),
      ...(as_of ? { as_of } : {}),
      ...(next ? { after: next } : {}),
      ...(change_uid ? { change_uid } : {}),
    },
  })
}
