import type { RefObject } from 'preact'
import type { Conflict } from '#shared/contract/catalog/imports.ts'
import { platformOf } from '#shared/platforms.ts'
import { moneyText } from '../common/format.ts'
import { usePicture } from '../common/picture-address.ts'
import { suggestSku } from './suggest-sku.ts'
import { text, textIfAny } from './words.ts'

const isMatch = ({ item, existing }: Conflict) => item.match !== null && item.match !== undefined && !!existing

/** Whether the item has another live listing on the platform, so that the two are different items. */
export const isTwin = (conflict: Conflict) => isMatch(conflict) && conflict.proposed === 'create_new'

/** Whether linking answers a conflict without a look at its details. */
export const canLink = (conflict: Conflict) => isMatch(conflict) && !isTwin(conflict)

/** Whether the listing can become an item of its own without a look: the SKU that it needs is known. */
export const canKeep = (conflict: Conflict) => isMatch(conflict) && skuOf(conflict) !== null

/** Returns the SKU of a separate item, '' for none. Null where the seller has to enter one. */
export function skuOf({ item, existing }: Conflict): string | null {
  const { sku, needed } = suggestSku({ item, mine: existing })
  return needed && sku === '' ? null : sku
}

/** One conflict: both photos side by side, which lead to the comparison, what agrees, and what to do. */
export function ConflictCard(props: {
  conflict: Conflict
  active: boolean
  selected: boolean
  busy: boolean
  /** Why the last decision about it was not taken. */
  problem: string | null
  box: RefObject<HTMLLIElement> | null
  onFocus: () => void
  onToggle: () => void
  onLink: () => void
  onKeep: () => void
  onSkip: () => void
}) {
  const { conflict, busy } = props
  const { item, listing, existing, marketplace, job_uid } = conflict
  const platform = platformOf(marketplace).name
  const price =
    listing.price_minor === null || !listing.currency ? null : moneyText(listing.price_minor, listing.currency)
  const named = (action: string) => `${action}, ${item.listing_title}`
  const twin = isTwin(conflict) ? text('conflict.already_live', { platform }) : null
  const sku = canKeep(conflict) ? skuOf(conflict) : null
  return (
    <li
      class={props.active ? 'decision active' : 'decision'}
      ref={props.box}
      tabIndex={-1}
      aria-current={props.active ? 'true' : undefined}
      onFocus={props.onFocus}
    >
      <input
        type="checkbox"
        aria-label={named(text('decide.select'))}
        checked={props.selected}
        onChange={props.onToggle}
      />
      <a class="sides" href={`#conflict/${job_uid}/${item.id}`}>
        <Side
          label={text('conflict.theirs', { platform })}
          image={listing.image}
          title={item.listing_title}
          price={price}
        />
        {existing ? (
          <Side
            label={text('conflict.mine')}
            image={existing.image}
            title={existing.title}
            price={moneyText(existing.price_minor, existing.currency)}
          />
        ) : (
          <p class="soft">
            {text(conflict.item.conflict_type === 'quantity_above_one' ? 'conflict.none_yet' : 'decide.no_item')}
          </p>
        )}
        <span class="hidden">{text('issues.compare')}</span>
      </a>
      <div class="why">
        {item.match ? (
          <ul class="reasons" aria-label={text('decide.reasons')}>
            {item.match.reasons.map((reason) => (
              <li key={reason}>{text(`decide.reason.${reason}`)}</li>
            ))}
          </ul>
        ) : (
          <p>{textIfAny(`conflict.${item.conflict_type}`)}</p>
        )}
        {item.match?.photos && <p class="soft">{text(`decide.photos.${item.match.photos}`)}</p>}
        {twin && twin !== props.problem && <p>{twin}</p>}
        {sku !== null && sku !== item.external_sku && <span class="soft block">{text('decide.new_sku', { sku })}</span>}
        {props.problem && (
          <p class="bad" role="alert">
            {props.problem}
          </p>
        )}
      </div>
      <div class="acts">
        {canLink(conflict) && (
          <button
            type="button"
            class="main"
            aria-disabled={busy}
            aria-label={named(text('decide.link'))}
            onClick={props.onLink}
          >
            {text('decide.link')}
          </button>
        )}
        {sku !== null && (
          <button
            type="button"
            class={isTwin(conflict) ? 'main' : undefined}
            aria-disabled={busy}
            aria-label={named(text('conflict.new_submit'))}
            onClick={props.onKeep}
          >
            {text('conflict.new_submit')}
          </button>
        )}
        <button type="button" aria-disabled={busy} aria-label={named(text('conflict.skip'))} onClick={props.onSkip}>
          {text('conflict.skip')}
        </button>
      </div>
    </li>
  )
}

function Side(props: { label: string; image: string | null; title: string; price: string | null }) {
  const picture = usePicture(props.image)
  return (
    <div class="side">
      {picture ? (
        <img {...picture} alt="" loading="lazy" decoding="async" />
      ) : (
        <div class="picture">{text('conflict.no_picture')}</div>
      )}
      <div>
        <p class="soft">{props.label}</p>
        <p class="clamp">{props.title}</p>
        <p>{props.price}</p>
      </div>
    </div>
  )
}
