import { ChevronDown, ChevronUp } from 'lucide-preact'
import { IconButton } from '../components/icon-button.tsx'
import { useKeys } from '../hooks/use-keys.ts'
import { besideOf } from './beside-of.ts'
import { text } from './words.ts'

/** Steps to the items before and after one, in the order of the table; also by J and K. Back still leads to the table. */
export function ItemSteps({ order, uid }: { order: readonly string[]; uid: string }) {
  const { previous, next, at, total } = besideOf(order, uid)
  const go = (to: string | null) => to && location.replace(`#item/${to}`)
  useKeys((key) => {
    // A second press may come before the page shows the item of the first.
    const now = besideOf(order, /^#item\/(\w+)/.exec(location.hash)?.[1] ?? uid)
    const to = { j: now.next, k: now.previous }[key]
    if (!to || document.querySelector('dialog[open]')) return undefined
    return () => go(to)
  })
  return (
    // Has its room before the table names the item, so that the buttons below stay under the finger.
    <div class="steps" style={{ visibility: at === 0 ? 'hidden' : 'visible' }}>
      <span class="soft">{text('item.place', { n: at, total })}</span>
      <IconButton
        icon={ChevronUp}
        size={18}
        label={text('item.previous')}
        title={text('item.previous')}
        aria-disabled={!previous}
        onClick={() => go(previous)}
      />
      <IconButton
        icon={ChevronDown}
        size={18}
        label={text('item.next')}
        title={text('item.next')}
        aria-disabled={!next}
        onClick={() => go(next)}
      />
    </div>
  )
}
