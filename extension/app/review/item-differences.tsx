import { Failure } from '../components/pending.tsx'
import { DifferenceCard } from './difference-card.tsx'
import { text } from './room-words.ts'
import type { useDifferences } from './use-differences.ts'

/** Shows the differences of one item on its page. */
export function ItemDifferences({ list }: { list: ReturnType<typeof useDifferences> }) {
  const { differences, problem, left, decide, reload } = list
  if (problem) return <Failure message={problem} onRetry={() => void reload()} />
  if (!differences || differences.length === 0) return null
  return (
    <section class="part" aria-labelledby="differences">
      <h2 id="differences">{text('palette.differences')}</h2>
      <ul class="rows-of-item">
        {differences.map((difference) => (
          <DifferenceCard
            key={difference.uid}
            difference={difference}
            active={false}
            selected={null}
            left={left.get(difference.uid) ?? null}
            box={null}
            onFocus={() => {}}
            onToggle={() => {}}
            onDecide={(action) => decide(action, [difference])}
          />
        ))}
      </ul>
    </section>
  )
}
