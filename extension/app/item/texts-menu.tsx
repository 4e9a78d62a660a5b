import { kindsOf } from '#shared/item/title-kind.ts'
import { fillText, type ListingText } from '#shared/listing-texts.ts'
import { text } from './form-words.ts'
import type { ItemForm } from './item-form.ts'

/** Adds one of the seller's texts for this kind of item to the description, with its places filled from the form. */
export function TextsMenu(props: { texts: readonly ListingText[]; form: ItemForm; onInsert: (added: string) => void }) {
  const kinds = kindsOf(props.form)
  const fitting = props.texts.filter(({ kind }) => kind === null || kinds.includes(kind))
  if (fitting.length === 0) return null
  return (
    <div class="field">
      <label class="label" for="form-texts">
        {text('texts.insert')}
      </label>
      <select
        id="form-texts"
        value=""
        onChange={(event) => {
          const chosen = fitting[Number(event.currentTarget.value)]
          event.currentTarget.value = ''
          if (chosen) props.onInsert(fillText(chosen.text, props.form))
        }}
      >
        <option value="">{text('texts.choose')}</option>
        {fitting.map(({ name }, index) => (
          <option key={name} value={index}>
            {name}
          </option>
        ))}
      </select>
    </div>
  )
}
