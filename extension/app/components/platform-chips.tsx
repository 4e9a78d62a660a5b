import type { InventoryRow, RowListing } from '#extension/storage/inventory-cache/row.ts'
import { type PlatformSlug, platformOf, platforms } from '#shared/platforms.ts'
import { PlatformIcon } from './platform-icon.tsx'
import { text } from './words.ts'

/** State of an item on one platform. `ending`: it sold elsewhere. `to_list` and `to_take_down` wait for the seller. */
type ChipState = 'live' | 'ending' | 'sold' | 'to_list' | 'to_take_down'

/** Returns one chip for each platform with a live listing, a sale or a task, in the order of the catalog. Ended listings have none. */
export function chipsOf(
  row: Pick<InventoryRow, 'listings' | 'state'>,
  tasks: readonly { kind: string; platform: PlatformSlug }[] = [],
): { platform: PlatformSlug; state: ChipState }[] {
  const chips = new Map<PlatformSlug, ChipState>()
  for (const listing of row.listings) {
    const state = stateOf(listing, row.state === 'sold')
    if (state && chips.get(listing.platform) !== 'live') chips.set(listing.platform, state)
  }
  for (const task of tasks) {
    if (task.kind === 'delist') chips.set(task.platform, 'to_take_down')
    if (task.kind === 'list' && chips.get(task.platform) !== 'live') chips.set(task.platform, 'to_list')
  }
  return platforms.flatMap(({ slug }) => {
    const state = chips.get(slug)
    return state ? [{ platform: slug, state }] : []
  })
}

function stateOf({ state }: RowListing, isSold: boolean): ChipState | null {
  if (state === 'removed') return null
  if (state === 'sold') return 'sold'
  return isSold ? 'ending' : 'live'
}

/** Shows chips as icons, with words for screen readers and tooltips. */
export function PlatformChips({ chips }: { chips: { platform: PlatformSlug; state: ChipState }[] }) {
  if (chips.length === 0) return <span class="soft">{text('chip.none')}</span>
  return (
    <span class="chips">
      {chips.map(({ platform, state }) => {
        const words = text(`chip.${state}`, { platform: platformOf(platform).name })
        return (
          <span key={platform} class={symbols[state] ? `chip ${state}` : `chip icon-only ${state}`} title={words}>
            <PlatformIcon platform={platform} size={14} />
            {symbols[state] && <span aria-hidden="true">{symbols[state]}</span>}
            <span class="hidden">{words}</span>
          </span>
        )
      })}
    </span>
  )
}

const symbols: Record<ChipState, string> = { live: '', ending: ' ↓', sold: ' ✓', to_list: ' …', to_take_down: ' !' }
