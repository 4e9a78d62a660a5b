import { Fragment } from 'preact'
import type { Difference, DifferenceAction } from '#shared/contract/catalog/differences.ts'
import { Checkbox } from '../components/fields.tsx'
import { Loading } from '../components/loading.tsx'
import { Failure, More } from '../components/pending.tsx'
import { Thumb } from '../components/thumb.tsx'
import { undoLast } from '../components/undo-toast.tsx'
import { useKeys } from '../hooks/use-keys.ts'
import { useActiveRow } from '../table/use-active-row.ts'
import { useSelection } from '../table/use-selection.ts'
import { canDecide, DifferenceCard } from './difference-card.tsx'
import { useDifferences } from './use-differences.ts'
import { text } from './words.ts'

const keys: Record<string, DifferenceAction> = { t: 'adopt', o: 'overwrite', i: 'ignore' }

/** Details that differ between items and their listings, to decide one by one or many at once. */
export function DifferencesPage(props: { onChanged: () => void }) {
  const { differences: loaded, count, problem, left, decide, reload, more } = useDifferences(null, props.onChanged)
  const differences = loaded && byItem(loaded)
  const { at, box, go, setActive, focusAfterRender } = useActiveRow(differences?.length ?? 0)
  const { selected, toggle, drop, select } = useSelection()
  const chosen = differences?.filter(({ uid }) => selected.has(uid)) ?? []

  const act = (action: DifferenceAction, those: readonly Difference[]) => {
    focusAfterRender()
    drop(new Set(those.map(({ uid }) => uid)))
    decide(action, those)
  }
  useKeys((key) => {
    if (key === 'j') return () => go(at + 1)
    if (key === 'k') return () => go(at - 1)
    if (key === 'u') return () => void undoLast()
    const [current, action] = [differences?.[at], keys[key]]
    if (!current) return undefined
    if (key === 'x') return () => toggle(current.uid)
    return action && (() => act(action, [current]))
  })

  return (
    <main class="page decisions" aria-busy={differences === null}>
      <h1 tabIndex={-1}>{text('palette.differences')}</h1>
      {problem && <Failure message={problem} onRetry={() => void reload()} />}
      {differences === null && !problem && <Loading />}
      {differences?.length === 0 && count === 0 && (
        <div class="center">
          <h2>{text('differences.none')}</h2>
          <p class="soft">{text('differences.none_text')}</p>
        </div>
      )}
      {differences && differences.length > 0 && (
        <>
          <div class="lead-in">
            <p class="soft">{text('differences.text')}</p>
            <Checkbox
              label={text('differences.select_all')}
              checked={chosen.length === differences.length}
              onChange={(checked) => select(checked ? differences.map(({ uid }) => uid) : [])}
            />
          </div>
          <ul class="decisions">
            {differences.map((difference, index) => (
              <Fragment key={difference.uid}>
                {difference.inventory_item_uid !== differences[index - 1]?.inventory_item_uid && (
                  <li class="certainty">
                    <Thumb src={difference.item_image} />
                    <h2 class="cut">
                      <a class="plain" href={`#item/${difference.inventory_item_uid}`}>
                        {difference.item_title}
                      </a>
                    </h2>
                  </li>
                )}
                <DifferenceCard
                  difference={difference}
                  active={index === at}
                  selected={selected.has(difference.uid)}
                  left={left.get(difference.uid) ?? null}
                  box={index === at ? box : null}
                  onFocus={() => setActive(index)}
                  onToggle={() => toggle(difference.uid)}
                  onDecide={(action) => act(action, [difference])}
                />
              </Fragment>
            ))}
          </ul>
        </>
      )}
      {differences && count > differences.length && <More onMore={() => void more()} />}
      {differences && differences.length > 0 && (
        <SelectedDifferences chosen={chosen} onDecide={act} onClear={() => select([])} />
      )}
    </main>
  )
}

/** The selected differences, to decide at once, or the keys while none is selected. */
function SelectedDifferences(props: {
  chosen: readonly Difference[]
  onDecide: (action: DifferenceAction, chosen: readonly Difference[]) => void
  onClear: () => void
}) {
  const { chosen } = props
  return (
    <section class="selection" aria-label={text('differences.selection')}>
      <p class="grow soft">
        {chosen.length > 0 ? text('differences.count', { n: chosen.length }) : <kbd>{text('differences.keys')}</kbd>}
      </p>
      {(['adopt', 'overwrite', 'ignore'] as const).map((action) => {
        const n = chosen.filter((one) => canDecide(action, one)).length
        return (
          n > 0 && (
            <button key={action} type="button" onClick={() => props.onDecide(action, chosen)}>
              {text(`differences.${action}_selected`, { n })}
            </button>
          )
        )
      })}
      {chosen.length > 0 && (
        <button type="button" class="quiet" onClick={props.onClear}>
          {text('select.clear')}
        </button>
      )}
    </section>
  )
}

/** Brings the differences of one item together, in the order of its first one. */
function byItem(differences: readonly Difference[]): Difference[] {
  const items = new Map<string, Difference[]>()
  for (const one of differences) {
    const others = items.get(one.inventory_item_uid)
    if (others) others.push(one)
    else items.set(one.inventory_item_uid, [one])
  }
  return [...items.values()].flat()
}
