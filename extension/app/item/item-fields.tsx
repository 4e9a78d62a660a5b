import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { kindsOf } from '#shared/item/title-kind.ts'
import type { ListingText } from '#shared/listing-texts.ts'
import type { PlatformSlug } from '#shared/platforms.ts'
import { amountText, readAmount } from '../common/amount.ts'
import { moneyText } from '../common/format.ts'
import { exampleLength, exampleWeight } from '../common/own-units.ts'
import { platformNames } from '../common/platform-names.ts'
import { ScanButton } from '../shelf/scan-button.tsx'
import { fieldId } from './field-id.ts'
import { FlawsField } from './flaws-field.tsx'
import { text } from './form-words.ts'
import type { FormField, FormProblem, FormProblems, ItemForm } from './item-form.ts'
import { ParticularsField } from './particulars-field.tsx'
import { PhotosField } from './photos-field.tsx'
import { TextsMenu } from './texts-menu.tsx'

type TextField = Exclude<FormField, 'images' | 'flaws' | 'particulars'>

/** Currencies that are offered besides the item's own. */
const currencies = ['USD', 'EUR', 'GBP', 'CAD', 'AUD', 'CHF', 'SEK', 'NOK', 'DKK', 'PLN', 'JPY']

/** Suggestions for the condition, which is free text. */
const conditions = ['New with tags', 'New without tags', 'Like new', 'Excellent', 'Good', 'Fair']

/** Fields that a sale or a live listing fixes. */
export interface Fixed {
  price: boolean
  currency: boolean
  /** Platforms whose sale event a new price ends. */
  onSale?: PlatformSlug[]
}

/** The fields of an item in groups, each problem beside its field. */
export function ItemFields(props: {
  form: ItemForm
  problems: FormProblems
  fixed: Fixed
  /** Texts of the seller's for descriptions. */
  texts: readonly ListingText[]
  /** The description is HTML, which becomes plain text when edited. */
  formatted: boolean
  onChange: (change: Partial<ItemForm>) => void
  onUploading: (isUploading: boolean) => void
  /** Takes a scanned product code; false for a code of another kind. */
  onCode: (code: string) => boolean
}) {
  const { form, problems, fixed, onChange } = props
  // Kept, so that clearing the notes does not close them.
  const [wasWorn] = useState(form.notes !== '' || form.flaws.length > 0)
  // Books, records and films have none, as far as title and category tell.
  const hasSize = !kindsOf(form).includes('media')
  const line = (
    field: TextField,
    options: { note?: string | undefined; optional?: boolean } & JSX.InputHTMLAttributes<HTMLInputElement> = {},
  ) => {
    const { note, optional, ...attributes } = options
    return (
      <Labelled field={field} optional={optional} note={note} problem={problems[field]} currency={form.currency}>
        {(aria) => (
          <input
            autocomplete="off"
            {...attributes}
            {...aria}
            value={form[field]}
            onInput={(event) => onChange({ [field]: event.currentTarget.value })}
          />
        )}
      </Labelled>
    )
  }
  const area = (field: 'description' | 'notes', rows: number, optional: boolean, note?: string) => (
    <Labelled field={field} optional={optional} note={note} problem={problems[field]} currency={form.currency}>
      {(aria) => (
        <textarea
          {...aria}
          rows={rows}
          value={form[field]}
          onInput={(event) => onChange({ [field]: event.currentTarget.value })}
        />
      )}
    </Labelled>
  )
  return (
    <>
      <Group name="photos">
        <PhotosField
          images={form.images}
          wrong={problems.images ? problemText(problems.images, text('field.photos'), form.currency) : null}
          onChange={(images) => onChange({ images })}
          onUploading={props.onUploading}
        />
      </Group>
      <Group name="basics">
        {line('title', { maxLength: 1_000 })}
        <div class="pair-of-fields">
          {line('price', {
            inputMode: 'decimal',
            readOnly: fixed.price,
            note: fixed.price ? text('form.note.price_sold') : priceNote(form, fixed),
          })}
          {line('condition', { list: 'form-conditions', maxLength: 500 })}
          {/* eBay refuses most things without these. */}
          {line('category', { maxLength: 1_000 })}
          {(hasSize || form.size) && line('size', { maxLength: 500 })}
          {(hasSize || form.colors) && line('colors', { note: text('form.note.colors') })}
          {line('brand', { maxLength: 500 })}
        </div>
        <datalist id="form-conditions">
          {conditions.map((condition) => (
            <option key={condition} value={condition} />
          ))}
        </datalist>
        {area('description', 8, true, props.formatted ? text('form.note.formatted') : undefined)}
        <TextsMenu
          texts={props.texts}
          form={form}
          onInsert={(added) =>
            onChange({ description: [form.description.trimEnd(), added].filter(Boolean).join('\n\n') })
          }
        />
        <details class="group" open={wasWorn || undefined}>
          <summary>{text('form.wear')}</summary>
          {area('notes', 2, true)}
          <FlawsField flaws={form.flaws} images={form.images} onChange={(flaws) => onChange({ flaws })} />
        </details>
      </Group>
      <ParticularsField
        form={form}
        isWrong={problems.particulars !== undefined}
        onChange={(particulars) => onChange({ particulars })}
      />
      <Group name="keeping">
        <div class="pair-of-fields">
          {line('cost', { inputMode: 'decimal', optional: true, note: text('form.note.cost') })}
          {line('sku', { optional: true, maxLength: 500 })}
          {line('location', { optional: true, maxLength: 200, note: text('form.note.location') })}
        </div>
      </Group>
      <details class="group">
        <summary>{text('form.more')}</summary>
        <div class="pair-of-fields">
          {line('material', { maxLength: 500 })}
          {line('weight', { maxLength: 50, note: text('form.note.weight', { example: exampleWeight() }) })}
          <Labelled
            field="currency"
            note={fixed.currency ? text('form.note.currency_live') : undefined}
            problem={problems.currency}
            currency={form.currency}
          >
            {(aria) =>
              fixed.currency ? (
                <input {...aria} readOnly value={form.currency} />
              ) : (
                <select
                  {...aria}
                  value={form.currency}
                  onChange={(event) => onChange({ currency: event.currentTarget.value })}
                >
                  {[...new Set([...currencies, form.currency])].map((currency) => (
                    <option key={currency}>{currency}</option>
                  ))}
                </select>
              )
            }
          </Labelled>
          {line('upc', { maxLength: 50 })}
          {line('ean', { maxLength: 50 })}
          {line('isbn', { maxLength: 50 })}
          {line('mpn', { maxLength: 100 })}
        </div>
        <p>
          <ScanButton onCode={props.onCode} />
        </p>
      </details>
    </>
  )
}

function Group(props: { name: 'photos' | 'basics' | 'keeping'; children: JSX.Element | JSX.Element[] }) {
  return (
    <fieldset class="group">
      <legend>{text(`form.${props.name}`)}</legend>
      {props.children}
    </fieldset>
  )
}

/** A field with its label, a note and its problem, which screen readers read with the field. */
function Labelled(props: {
  field: TextField
  optional?: boolean | undefined
  note?: string | undefined
  problem: FormProblem | undefined
  currency: string
  children: (aria: {
    id: string
    'aria-invalid': true | undefined
    'aria-describedby': string | undefined
  }) => JSX.Element
}) {
  const { field, note, problem } = props
  const id = fieldId(field)
  const label = text(`field.${field}`)
  const described = [note && `${id}-note`, problem && `${id}-wrong`].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label class="label" for={id}>
        {props.optional ? text('form.optional', { label }) : label}
      </label>
      {props.children({ id, 'aria-invalid': problem ? true : undefined, 'aria-describedby': described || undefined })}
      {problem && (
        <p class="wrong" id={`${id}-wrong`}>
          {problemText(problem, label, props.currency)}
        </p>
      )}
      {note && (
        <p class="soft" id={`${id}-note`}>
          {note}
        </p>
      )}
    </div>
  )
}

function problemText(problem: FormProblem, label: string, currency: string): string {
  if (problem === 'needed') return text('form.problem.needed', { label })
  if (problem === 'amount') return text('form.problem.amount', { example: amountText(1_250, currency) })
  if (problem === 'length') return text('form.problem.length', { example: exampleLength() })
  if (problem === 'weight') return text('form.problem.weight', { example: exampleWeight() })
  return text(`form.problem.${problem}`)
}

/** Returns the typed price with its currency's sign, so that a price in a wrong currency shows. */
function priceNote({ price, currency }: ItemForm, { onSale = [] }: Fixed): string | undefined {
  const minor = readAmount(price, currency)
  const notes = [
    minor && text('form.note.price', { price: moneyText(minor, currency) }),
    onSale.length > 0 && text('price.ends_sale', { platforms: platformNames(onSale) }),
  ]
  return notes.filter(Boolean).join(' ') || undefined
}
