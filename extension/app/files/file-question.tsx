import type { ChangedListing, ImportedRow } from '#shared/contract/catalog/inventory-files.ts'
import { platformOf } from '#shared/platforms.ts'
import { decimalText } from '../common/format.ts'
import { Checkbox } from '../components/fields.tsx'
import { Thumb } from '../components/thumb.tsx'
import { type Answer, asks, asksConfirmation } from './file-answers.ts'
import { text } from './words.ts'

/** Asks the questions of a row of a file, below the live listings that it would change. */
export function FileQuestion(props: { row: ImportedRow; answer: Answer; onAnswer: (answer: Answer) => void }) {
  const { row, answer, onAnswer } = props
  const isAsked = asks(row, 'confirm_same_item')
  return (
    <>
      {isAsked && <WhichItem {...props} />}
      {(!isAsked || answer.item === 'same') && (
        <>
          <Listings listings={row.listings ?? []} />
          {asksConfirmation(row) && (
            <Checkbox
              label={confirmText(row)}
              checked={answer.isConfirmed ?? false}
              onChange={(checked) => onAnswer({ ...answer, isConfirmed: checked })}
            />
          )}
        </>
      )}
    </>
  )
}

/** Live listings with their old and new prices, one a line. */
export function Listings({ listings }: { listings: readonly ChangedListing[] }) {
  if (listings.length === 0) return null
  return (
    <ul class="file-listings">
      {listings.map(({ platform, from, to, currency, ends_sale }, index) => {
        const { name } = platformOf(platform)
        const money = (amount: string) => decimalText(amount, currency)
        return (
          <li key={index}>
            {to === null
              ? text('files.live_ends', { platform: name, from: money(from) })
              : from === to
                ? text('files.live_stays', { platform: name, from: money(from) })
                : text('files.live', { platform: name, from: money(from), to: money(to) })}
            {ends_sale && <span class="warn block">{text('price.ends_sale', { platforms: name })}</span>}
          </li>
        )
      })}
    </ul>
  )
}

const choices = ['same', 'new', 'skip'] as const

function WhichItem({
  row,
  answer,
  onAnswer,
}: {
  row: ImportedRow
  answer: Answer
  onAnswer: (answer: Answer) => void
}) {
  const { like } = row
  if (!like) return null
  const isNamed = row.uid === like.uid
  return (
    <fieldset class="file-choice">
      <legend>{text(isNamed ? 'files.same_named' : 'files.same')}</legend>
      <a href={`#item/${like.uid}`} class="row" target="_blank" rel="noopener">
        <Thumb src={like.image} />
        <span>
          {like.title}
          {like.sku && <span class="soft"> {like.sku}</span>}
        </span>
      </a>
      {choices.map((item) => (
        <label key={item} class="check">
          <input
            type="radio"
            name={`row-${row.row}`}
            checked={answer.item === item}
            onChange={() => onAnswer({ ...answer, item })}
          />
          {text(item === 'new' && isNamed ? 'files.same.new_without_sku' : `files.same.${item}`)}
        </label>
      ))}
    </fieldset>
  )
}

function confirmText(row: ImportedRow): string {
  const n = (row.listings ?? []).filter(({ to }) => to === null).length
  const price = row.changes?.find(({ field }) => field === 'price')
  if (!asks(row, 'confirm_large_price_change') || !price) {
    return n > 0 ? text('files.confirm_end', { n }) : text('files.confirm_withdraw')
  }
  const money = (amount: string | null) => decimalText(amount ?? '0', row.currency ?? '')
  const values = { from: money(price.from), to: money(price.to) }
  return n > 0 ? text('files.confirm_both', { ...values, n }) : text('files.confirm_price', values)
}
