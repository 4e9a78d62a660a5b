import { useMemo, useRef, useState } from 'preact/hooks'
import type { CertaintyGroup, Conflict } from '#shared/contract/catalog/imports.ts'
import { ConfirmDialog } from '../components/dialog.tsx'
import { Loading } from '../components/loading.tsx'
import { Notice } from '../components/notice.tsx'
import { Failure, More } from '../components/pending.tsx'
import { undoLast, useUndone } from '../components/undo-toast.tsx'
import { useKeys } from '../hooks/use-keys.ts'
import { useAction } from '../hooks/use-request.ts'
import { useActiveRow } from '../table/use-active-row.ts'
import { useSelection } from '../table/use-selection.ts'
import { ConflictCard, canLink } from './conflict-card.tsx'
import { type ConflictList, type Group, groupOf, useConflicts } from './use-conflicts.ts'
import { type Decision, useDecisions } from './use-decisions.ts'
import { text } from './words.ts'

/** Time after a group's decision in which its buttons do nothing, in ms: the next group moves to where the pointer is. */
const pauseMs = 1_000

/** Open conflicts of all imports or of one, in groups of the same certainty, to decide one by one or many at once. */
export function DecisionsPage(props: { job: string | null; onChanged: () => void }) {
  const { job } = props
  const list = useConflicts(job)
  const { conflicts, groups } = list
  const ids = useMemo(() => conflicts?.map(({ item }) => item.id) ?? [], [conflicts])
  const { at, box, go, setActive, focusAfterRender } = useActiveRow(ids.length, ids)
  const { selected, toggle, drop, select } = useSelection()
  const { busy, late, problem, act } = useAction()
  const { problems, failure, decide, link, keep, decideGroup } = useDecisions(list, {
    ...{ onResolved: drop, onChanged: props.onChanged, focusAfterRender },
  })
  /** The number of possible matches that a question is about, whether to link them all. */
  const [asking, setAsking] = useState<number | null>(null)
  const decidedAt = useRef(0)
  useUndone(() => void list.reload())

  const runGroup = (decision: Decision, certainty: CertaintyGroup) =>
    act(`${decision} ${certainty}`, async () => {
      await decideGroup(decision, job, certainty)
      decidedAt.current = Date.now()
    })
  const askGroup = (decision: Decision, certainty: CertaintyGroup, n: number) => {
    if (Date.now() - decidedAt.current < pauseMs) return
    if (decision === 'link_existing' && certainty === 'unsure') setAsking(n)
    else void runGroup(decision, certainty)
  }

  useKeys((key, target) => {
    if (key === 'j') return () => go(at + 1)
    if (key === 'k') return () => go(at - 1)
    if (key === 'u') return () => void undoLast()
    const current = conflicts?.[at]
    if (!current) return undefined
    if (key === 'x') return () => toggle(current.item.id)
    if (key === 'l') return () => link(current)
    if (key === 'n') return () => keep(current)
    if (key === 's') return () => decide('skip', [current])
    if (key !== 'Enter' || target !== box.current) return undefined
    return () => {
      location.hash = `conflict/${current.job_uid}/${current.item.id}`
    }
  })

  const chosen = conflicts?.filter(({ item }) => selected.has(item.id)) ?? []
  const trouble = problem ?? failure ?? list.problem
  return (
    <main class="page decisions" aria-busy={conflicts === null}>
      <h1 tabIndex={-1}>{text('decide.title')}</h1>
      {conflicts && conflicts.length > 0 && <p class="lead-in soft">{text('decide.skip_note')}</p>}
      {groups.comparing > 0 && <p class="lead-in">{text('decide.comparing', { n: groups.comparing })}</p>}
      {trouble && <Failure message={trouble} onRetry={() => void list.reload()} />}
      {late && <Notice tone="plain">{text('loading.slow')}</Notice>}
      {conflicts === null && !list.problem && <Loading />}
      {conflicts?.length === 0 && list.count === 0 && (
        <div class="center">
          <h2>{text('decide.none')}</h2>
        </div>
      )}
      {conflicts && conflicts.length > 0 && (
        <ul class="decisions">
          {groupsOf(conflicts).map(({ group, all }) => (
            // A group of its own bounds the sticky head, so that heads push each other away.
            <li key={group} class="group-of-decisions">
              <GroupHead
                group={group}
                n={groups[group]}
                linkable={linkableOf(list, group, all)}
                isComparing={groups.comparing > 0}
                busy={busy}
                onDecide={askGroup}
              />
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
                    onSkip={() => decide('skip', [conflict])}
                  />
                ))}
              </ul>
            </li>
          ))}
        </ul>
      )}
      {conflicts && list.count > conflicts.length && <More onMore={() => void list.more()} />}
      {conflicts && conflicts.length > 0 && (
        <SelectedConflicts chosen={chosen} busy={busy !== null} onDecide={decide} onClear={() => select([])} />
      )}
      {asking !== null && (
        <ConfirmDialog
          title={text('decide.unsure_title', { n: asking })}
          words={text('decide.unsure_text')}
          action={text('decide.link_selected', { n: asking })}
          isRisky
          onCancel={() => setAsking(null)}
          onAct={() => {
            setAsking(null)
            void runGroup('link_existing', 'unsure')
          }}
        />
      )}
    </main>
  )
}

interface Row {
  conflict: Conflict
  index: number
}

/** Returns how many of a group one press can link: the server's number, or that of the rows and of those not loaded. */
function linkableOf({ linkable, groups }: ConflictList, group: Group, all: readonly Row[]): number {
  if (group === 'other' || group === 'comparing') return 0
  return linkable?.[group] ?? groups[group] - all.filter(({ conflict }) => !canLink(conflict)).length
}

/** Splits the list, which is in the order of certainty, into its groups. */
function groupsOf(conflicts: readonly Conflict[]) {
  const split: { group: Group; all: Row[] }[] = []
  conflicts.forEach((conflict, index) => {
    const group = groupOf(conflict)
    const last = split.at(-1)
    if (last?.group === group) last.all.push({ conflict, index })
    else split.push({ group, all: [{ conflict, index }] })
  })
  return split
}

/** Names a group, with the presses about all of it that can do something. While photos are compared, none is about all. */
function GroupHead(props: {
  group: Group
  n: number
  /** How many of them one press can link. */
  linkable: number
  isComparing: boolean
  busy: string | null
  onDecide: (decision: Decision, certainty: CertaintyGroup, n: number) => void
}) {
  const { group, n, linkable, isComparing, busy } = props
  const button = (decision: Decision, certainty: CertaintyGroup, count: number, label: string) => (
    <button
      type="button"
      class={decision === 'link_existing' && certainty === 'certain' ? 'main' : ''}
      aria-disabled={busy !== null}
      onClick={() => busy === null && props.onDecide(decision, certainty, count)}
    >
      {busy === `${decision} ${certainty}` ? text('working') : label}
    </button>
  )
  const scope = linkable === n && !isComparing ? 'all' : 'some'
  return (
    <div class="certainty">
      <h2>{text(`decide.group.${group}`, { n })}</h2>
      {group !== 'comparing' && (
        <>
          {group !== 'other' &&
            linkable > 0 &&
            button('link_existing', group, linkable, text(`decide.link_${scope}.${group}`, { n: linkable }))}
          {button('skip', group, n, text(isComparing ? 'decide.skip_so_far' : 'decide.skip_all', { n }))}
        </>
      )}
    </div>
  )
}

/** The selected conflicts, to decide at once, or the keys while none is selected. */
function SelectedConflicts(props: {
  chosen: readonly Conflict[]
  busy: boolean
  onDecide: (decision: Decision, chosen: readonly Conflict[]) => void
  onClear: () => void
}) {
  const { chosen, busy, onDecide } = props
  return (
    <section class="selection" aria-label={text('decide.selection')}>
      <p class="grow soft">
        {chosen.length > 0 ? text('select.count', { n: chosen.length }) : <kbd>{text('decide.keys')}</kbd>}
      </p>
      {chosen.some(canLink) && (
        <button type="button" class="main" aria-disabled={busy} onClick={() => onDecide('link_existing', chosen)}>
          {text('decide.link_selected', { n: chosen.filter(canLink).length })}
        </button>
      )}
      {chosen.length > 0 && (
        <>
          <button type="button" aria-disabled={busy} onClick={() => onDecide('skip', chosen)}>
            {text('decide.skip_selected', { n: chosen.length })}
          </button>
          <button type="button" class="quiet" onClick={props.onClear}>
            {text('select.clear')}
          </button>
        </>
      )}
    </section>
  )
}
