import type { RefObject } from 'preact'
import type { Difference, DifferenceAction, LeftDifference } from '#shared/contract/catalog/differences.ts'
import { adoptableFields } from '#shared/item/adoptable-fields.ts'
import { platformOf } from '#shared/platforms.ts'
import { decimalText } from '../common/format.ts'
import { usePicture, useWebAddress } from '../common/picture-address.ts'
import { PlatformIcon } from '../components/platform-icon.tsx'
import { type MarkedText, markDifference } from './mark-difference.ts'
import { text } from './room-words.ts'

/** Most photos shown of a side. The number says the rest. */
const photosShown = 8

/** Whether an action is possible for a difference. */
export const canDecide = (action: DifferenceAction, difference: Difference) =>
  action === 'overwrite' ? difference.can_overwrite : action === 'ignore' || adoptableFields.has(difference.field)

/** One detail that differs: both values side by side, and what to do. */
export function DifferenceCard(props: {
  difference: Difference
  active: boolean
  /** Null: it cannot be selected here. */
  selected: boolean | null
  /** Why the last decision about it was not taken. */
  left: LeftDifference['reason'] | null
  box: RefObject<HTMLLIElement> | null
  onFocus: () => void
  onToggle: () => void
  onDecide: (action: DifferenceAction) => void
}) {
  const { difference } = props
  const { field, item_title, marketplace, cannot_overwrite_reason } = difference
  const platform = platformOf(marketplace).name
  const address = useWebAddress()(difference.listing_url)
  const named = (words: string) => `${words}: ${text(`field.${field}`)}, ${item_title}`
  const why = props.left ?? cannot_overwrite_reason
  return (
    <li
      class={props.active ? 'decision difference active' : 'decision difference'}
      ref={props.box}
      tabIndex={-1}
      aria-current={props.active ? 'true' : undefined}
      onFocus={props.onFocus}
    >
      {props.selected !== null && (
        <input
          type="checkbox"
          aria-label={named(text('decide.select'))}
          checked={props.selected}
          onChange={props.onToggle}
        />
      )}
      <div class="what">
        <p class="named">
          <PlatformIcon platform={marketplace} /> <strong>{text(`field.${field}`)}</strong>
        </p>
        <div class="sides">
          <Values difference={difference} platform={platform} />
        </div>
        {why && (
          <p class={props.left ? 'bad' : 'soft'} role={props.left ? 'alert' : undefined}>
            {text(`differences.why.${why}`, { platform })}
          </p>
        )}
      </div>
      <div class="acts">
        {(['adopt', 'overwrite', 'ignore'] as const)
          .filter((action) => canDecide(action, difference))
          .map((action) => {
            const words = action === 'ignore' ? text('differences.ignore') : text(`differences.${action}`, { platform })
            return (
              <button
                key={action}
                type="button"
                class={action === 'ignore' ? 'quiet' : undefined}
                aria-label={named(words)}
                onClick={() => props.onDecide(action)}
              >
                {words}
              </button>
            )
          })}
        {!difference.can_overwrite && address && (
          <a
            class="button"
            href={address}
            target="_blank"
            rel="noreferrer"
            aria-label={named(text('differences.open'))}
          >
            {text('differences.open')}
          </a>
        )}
      </div>
    </li>
  )
}

function Values({ difference, platform }: { difference: Difference; platform: string }) {
  const { field, mine, theirs, mine_photos, theirs_photos } = difference
  const labels = [text('differences.mine'), text('differences.theirs', { platform })] as const
  if (field === 'photos') {
    return (
      <>
        <Photos label={labels[0]} photos={mine_photos ?? []} />
        <Photos label={labels[1]} photos={theirs_photos ?? []} />
      </>
    )
  }
  if (field === 'price') {
    const prices = [decimalText(mine, difference.mine_currency), decimalText(theirs, difference.theirs_currency)]
    return (
      <>
        {prices.map((price, n) => (
          <div key={labels[n]}>
            <p class="soft">{labels[n]}</p>
            <p class="price">{price}</p>
          </div>
        ))}
      </>
    )
  }
  return (
    <>
      {markDifference(mine, theirs).map((marked, n) => (
        <div key={labels[n]}>
          <p class="soft">{labels[n]}</p>
          <Marked {...marked} />
        </div>
      ))}
    </>
  )
}

function Marked({ before, marked, after }: MarkedText) {
  if (`${before}${marked}${after}` === '') return <p class="soft">{text('differences.empty')}</p>
  return (
    <p class="value">
      {before}
      {marked && <mark>{marked}</mark>}
      {after}
    </p>
  )
}

function Photos({ label, photos }: { label: string; photos: string[] }) {
  return (
    <div>
      <p class="soft">
        {label}, {text('differences.photos', { n: photos.length })}
      </p>
      <ul class="photo-strip">
        {photos.slice(0, photosShown).map((photo) => (
          <li key={photo}>
            <Photo src={photo} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function Photo({ src }: { src: string }) {
  const picture = usePicture(src)
  return picture ? <img {...picture} alt="" loading="lazy" decoding="async" /> : <span class="broken" />
}
