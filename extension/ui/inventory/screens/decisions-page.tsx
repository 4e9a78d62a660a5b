import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { text } from '#extension/i18n/text.ts'
import { errorText } from '#extension/messaging/error-text.ts'
import type { AnswerOf } from '#extension/messaging/protocol.ts'
import { send } from '#extension/messaging/send.ts'
import { Dialog } from '#extension/ui/components/dialog.tsx'
import { Loading } from '#extension/ui/components/loading.tsx'
import { Notice } from '#extension/ui/components/notice.tsx'
import { offerUndo, undoLast, useUndone } from '#extension/ui/components/undo-toast.tsx'
import { useAction } from '#extension/ui/hooks/use-request.ts'
import type { CertaintyGroup, Conflict } from '#shared/contract/imports.ts'
import { platformOf } from '#shared/platforms.ts'
import { rememberConflicts } from '../next-conflict.ts'
import { ConflictCard, canKeep, canLink, isTwin, skuOf } from '../parts/conflict-card.tsx'

type Groups = Record<CertaintyGroup, number>
type Decision = 'link_existing' | 'skip'

/** Time after a group's decision in which its buttons do nothing, in ms: the next group moves to where the pointer is. */
const pauseMs = 1_000

const groupOf = ({ item }: Conflict): CertaintyGroup => item.match?.certainty ?? 'other'

/** Open conflicts of all imports or of one, in groups of the same certainty, to decide one by one or many at once. */
export function DecisionsPage(props: { job: string | null; onChanged: () => void }) {
  const { job } = props
  const list = useConflicts(job)
  const { conflicts, groups } = list
  const [active, setActive] = useState(0)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [problems, setProblems] = useState<ReadonlyMap<string, string>>(new Map())
  const { busy, late, problem, act } = useAction()
  const [failure, setFailure] = useState<string | null>(null)
  /** The question whether to link all possible matches. */
  const [asking, setAsking] = useState(false)
  const decidedAt = useRef(0)
  const inTurn = useRef(Promise.resolve())
  const box = useRef<HTMLLIElement>(null)
  const moveFocus = useRef(false)
  // All that was loaded is decided, and the server has more.
  const isWorkedOff = useRef(false)
  isWorkedOff.current = conflicts?.length === 0 && list.count > 0
  useUndone(() => void list.reload())
  const at = Math.max(0, Math.min(active, (conflicts?.length ?? 0) - 1))

  const go = (index: number) => {
    moveFocus.current = true
    setActive(Math.max(0, Math.min(index, (conflicts?.length ?? 1) - 1)))
  }
  useLayoutEffect(() => {
    if (!moveFocus.current) return
    moveFocus.current = false
    box.current?.focus()
  })

  const take = ({ results }: Outcomes) => {
    const resolved = new Set(results.filter(({ outcome }) => outcome === 'resolved').map(({ item_uid }) => item_uid))
    list.remove(resolved)
    setSelected((before) => new Set([...before].filter((id) => !resolved.has(id))))
    setProblems(new Map(results.flatMap(({ item_uid, message }) => (message ? [[item_uid, message]] : []))))
    return resolved.size
  }
  const say = (decision: Decision, n: number, change: string | null) => {
    if (n === 0) return offerUndo(text('decide.all_left'), null)
    offerUndo(text(decision === 'skip' ? 'decide.skipped' : 'decide.linked', { n }), change)
  }

  /**
   * Decides conflicts. They leave the list at once, so that the next key is about the next one, and come back if they could
   * not be decided. Requests are sent in turn.
   */
  const decide = (decision: Decision, chosen: readonly Conflict[]) => {
    const ready = decision === 'skip' ? chosen : chosen.filter(canLink)
    if (ready.length === 0) return
    moveFocus.current = true
    list.remove(new Set(ready.map(({ item }) => item.id)))
    const items = ready.map(({ job_uid, item }) => ({ job_uid, item_uid: item.id }))
    inTurn.current = inTurn.current.then(async () => {
      setFailure(null)
      try {
        const answer = await resolve(decision, items)
        const resolved = take(answer)
        if (resolved > 0) say(decision, resolved, answer.change_uid)
        if (resolved < items.length || isWorkedOff.current) await list.reload()
      } catch (error) {
        setFailure(errorText(error))
        await list.reload()
      }
      props.onChanged()
    })
  }
  /** Links a listing with its item, or says why that is not offered. */
  const link = (conflict: Conflict) => {
    if (!isTwin(conflict)) return decide('link_existing', [conflict])
    const platform = platformOf(conflict.marketplace).name
    setProblems(new Map([[conflict.item.id, text('conflict.already_live', { platform })]]))
  }
  /** Decides a whole group, also what is not loaded. */
  const decideGroup = (decision: Decision, certainty: CertaintyGroup) =>
    act(`${decision} ${certainty}`, async () => {
      let done = 0
      let from: Pick<Outcomes, 'next' | 'change_uid'> = { next: null, change_uid: null }
      do {
        const answer: Outcomes = await resolveNext(decision, job, certainty, from)
        done += take(answer)
        say(decision, done, answer.change_uid)
        from = answer
      } while (from.next)
      await list.reload()
      props.onChanged()
      decidedAt.current = Date.now()
    })
  const askGroup = (decision: Decision, certainty: CertaintyGroup) => {
    if (Date.now() - decidedAt.current < pauseMs) return
    if (decision === 'link_existing' && certainty === 'unsure') setAsking(true)
    else void decideGroup(decision, certainty)
  }
  /** Makes a listing an item of its own. */
  const keep = (conflict: Conflict) => {
    const sku = canKeep(conflict) ? skuOf(conflict) : null
    if (sku === null) return
    const { job_uid, item } = conflict
    moveFocus.current = true
    list.remove(new Set([item.id]))
    inTurn.current = inTurn.current.then(async () => {
      setFailure(null)
      try {
        const { change_uid } = await send('popup.resolve', {
          ...{ job: job_uid, item: item.id, resolution: 'create_new' },
          ...(sku === '' ? {} : { sku }),
        })
        offerUndo(text('decide.kept'), change_uid)
        if (isWorkedOff.current) await list.reload()
      } catch (error) {
        setFailure(errorText(error))
        await list.reload()
      }
      props.onChanged()
    })
  }
  const toggle = (id: string) =>
    setSelected((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]))

  // Listens before the next key can arrive: an effect after painting would act on the listing of the render before.
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      const target = event.target
      if (target instanceof Element && target.matches('input:not([type=checkbox]), select, textarea')) return
      const current = conflicts?.[at]
      const acts: Record<string, () => void> = {
        j: () => go(at + 1),
        k: () => go(at - 1),
        u: () => void undoLast(),
        ...(current && {
          x: () => toggle(current.item.id),
          l: () => link(current),
          n: () => keep(current),
          s: () => void decide('skip', [current]),
          Enter: () => {
            location.hash = `conflict/${current.job_uid}/${current.item.id}`
          },
        }),
      }
      const found = acts[event.key]
      if (!found || (event.key === 'Enter' && target !== box.current)) return
      event.preventDefault()
      found()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  })

  const chosen = conflicts?.filter(({ item }) => selected.has(item.id)) ?? []
  return (
    <main class="page decisions" aria-busy={conflicts === null}>
      <h1 tabIndex={-1}>{text('decide.title')}</h1>
      {(problem ?? failure ?? list.problem) && (
        <Notice tone="bad" action={{ label: text('home.retry'), act: () => void list.reload() }}>
          {problem ?? failure ?? list.problem}
        </Notice>
      )}
      {late && <Notice tone="plain">{text('loading.slow')}</Notice>}
      {conflicts === null && !list.problem && <Loading />}
      {conflicts?.length === 0 && list.count === 0 && (
        <div class="center">
          <h2>{text('decide.none')}</h2>
          <p>
            <a href="#inventory">{text('decide.to_inventory')}</a>
          </p>
        </div>
      )}
      {conflicts && conflicts.length > 0 && (
        <ul class="decisions">
          {groupsOf(conflicts).map(({ group, all }) => (
            // A group of its own bounds the sticky head, so that heads push each other away.
            <li key={group} class="group-of-decisions">
              <GroupHead group={group} groups={groups} busy={busy} onDecide={askGroup} />
              <ul>
                {all.map(({ conflict, index }) => (
                  <ConflictCard
                    key={conflict.item.id}
                    conflict={conflict}
                    active={index === at}
                    selected={selected.has(conflict.item.id)}
                    busy={busy !== null}
                    problem={problems.get(conflict.item.id) ?? null}
                    box={index === at ? box : null}
                    onFocus={() => setActive(index)}
                    onToggle={() => toggle(conflict.item.id)}
                    onLink={() => link(conflict)}
                    onKeep={() => keep(conflict)}
                    onSkip={() => void decide('skip', [conflict])}
                  />
                ))}
              </ul>
            </li>
          ))}
        </ul>
      )}
      {conflicts && list.count > conflicts.length && (
        <p class="part">
          <button type="button" class="wide" onClick={() => void list.more()}>
            {text('issues.more')}
          </button>
        </p>
      )}
      {conflicts && conflicts.length > 0 && (
        <section class="selection" aria-label={text('decide.selection')}>
          <p class="grow soft">
            {chosen.length > 0 ? text('select.count', { n: chosen.length }) : <kbd>{text('decide.keys')}</kbd>}
          </p>
          {chosen.some(canLink) && (
            <button
              type="button"
              class="main"
              aria-disabled={busy !== null}
              onClick={() => void decide('link_existing', chosen)}
            >
              {text('decide.link_selected', { n: chosen.filter(canLink).length })}
            </button>
          )}
          {chosen.length > 0 && (
            <>
              <button type="button" aria-disabled={busy !== null} onClick={() => void decide('skip', chosen)}>
                {text('decide.skip_selected', { n: chosen.length })}
              </button>
              <button type="button" class="quiet" onClick={() => setSelected(new Set())}>
                {text('select.clear')}
              </button>
            </>
          )}
        </section>
      )}
      {asking && (
        <Dialog title={text('decide.unsure_title', { n: groups.unsure })} onClose={() => setAsking(false)}>
          <p>{text('decide.unsure_text')}</p>
          <div class="buttons">
            <button type="button" class="main" onClick={() => setAsking(false)}>
              {text('bulk.cancel')}
            </button>
            <button
              type="button"
              onClick={() => {
                setAsking(false)
                void decideGroup('link_existing', 'unsure')
              }}
            >
              {text('decide.link_selected', { n: groups.unsure })}
            </button>
          </div>
        </Dialog>
      )}
    </main>
  )
}

/** Splits the list, which is in the order of certainty, into its groups. */
function groupsOf(conflicts: readonly Conflict[]) {
  const split: { group: CertaintyGroup; all: { conflict: Conflict; index: number }[] }[] = []
  conflicts.forEach((conflict, index) => {
    const group = groupOf(conflict)
    const last = split.at(-1)
    if (last?.group === group) last.all.push({ conflict, index })
    else split.push({ group, all: [{ conflict, index }] })
  })
  return split
}

function GroupHead(props: {
  group: CertaintyGroup
  groups: Groups
  busy: string | null
  onDecide: (decision: Decision, certainty: CertaintyGroup) => void
}) {
  const { group, busy } = props
  const n = props.groups[group]
  return (
    <div class="certainty">
      <h2>{text(`decide.group.${group}`, { n })}</h2>
      {group !== 'other' && (
        <button
          type="button"
          class={group === 'certain' ? 'main' : ''}
          aria-disabled={busy !== null}
          onClick={() => busy === null && props.onDecide('link_existing', group)}
        >
          {busy === `link_existing ${group}` ? text('conflict.busy') : text(`decide.link_all.${group}`, { n })}
        </button>
      )}
      <button
        type="button"
        aria-disabled={busy !== null}
        onClick={() => busy === null && props.onDecide('skip', group)}
      >
        {busy === `skip ${group}` ? text('conflict.busy') : text('decide.skip_all', { n })}
      </button>
    </div>
  )
}

type Outcomes = AnswerOf<'conflicts.resolve'>

function resolve(resolution: Decision, items: { job_uid: string; item_uid: string }[]): Promise<Outcomes> {
  return send('conflicts.resolve', { job: null, resolution, items })
}

/** Decides the next open ones of a certainty, as part of the change that the request before began. */
function resolveNext(
  resolution: Decision,
  job: string | null,
  certainty: CertaintyGroup,
  { next, change_uid }: Pick<Outcomes, 'next' | 'change_uid'>,
): Promise<Outcomes> {
  return send('conflicts.resolve', {
    ...{ job, resolution, certainty },
    ...(next ? { after: next } : {}),
    ...(change_uid ? { change_uid } : {}),
  })
}

const noGroups: Groups = { certain: 0, likely: 0, unsure: 0, other: 0 }

/** Loads the open conflicts page by page, and leaves out what was decided. */
function useConflicts(job: string | null) {
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
