import type { ComponentChildren } from 'preact'
import { useId, useState } from 'preact/hooks'
import { lengthText, lengthUnit, readMeasure, type System, weightText, weightUnit } from '#shared/item/units.ts'
import { ownUnits } from '../common/own-units.ts'
import { CategoryField, type SearchCategories } from './category-field.tsx'
import { choiceLabel } from './choice-text.ts'
import { FieldError, type FieldProps, wrong } from './field-error.tsx'
import { text } from './words.ts'

/** eBay's length limit for an aspect's text. */
const maxText = 65

/** A form field for one choice, with its error. */
export function AnyField(props: FieldProps & { platform: string; search: SearchCategories; onLookAgain: () => void }) {
  const { field } = props
  if (field.kind === 'category') return <CategoryField {...props} />
  const measure = measureOf(field.option)
  if (measure) return <MeasureField {...props} measure={measure} />
  if (field.kind === 'text') return <TextField {...props} />
  if (field.values.length === 0 && field.required) return <NothingThere {...props} />
  return <SelectField {...props} first={field.required ? text('choice.first') : text('choice.optional')} />
}

/** A select field. `first`: label of the empty option. */
export function SelectField(props: FieldProps & { first: string; children?: ComponentChildren }) {
  const { field, value, error } = props
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{field.label ?? choiceLabel(field.option)}</label>
      <select
        id={id}
        value={value}
        aria-required={field.required}
        {...wrong(id, error)}
        onChange={(event) => props.onChange(event.currentTarget.value)}
      >
        <option value="">{props.first}</option>
        {props.children}
        {field.values.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
          </option>
        ))}
      </select>
      <FieldError id={id} error={error} />
    </div>
  )
}

function TextField({ field, value, error, onChange }: FieldProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{field.label ?? choiceLabel(field.option)}</label>
      <input
        id={id}
        value={value}
        maxLength={maxText}
        list={`${id}-values`}
        autoComplete="off"
        aria-required={field.required}
        {...wrong(id, error)}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      <datalist id={`${id}-values`}>
        {field.values.map((one) => (
          <option key={one.id} value={one.id} />
        ))}
      </datalist>
      <FieldError id={id} error={error} />
    </div>
  )
}

/** How weights and lengths are written in the units of the seller's country, and read from them. */
interface Measure {
  write: (size: number) => string
  bare: (typeof weightUnit)[System]
  example: string
}

function measureOf(option: string): Measure | null {
  const system = ownUnits()
  if (option === 'weight_grams') {
    const write = (size: number) => weightText(size, system)
    return { write, bare: weightUnit[system], example: write(system === 'us' ? 567 : 450) }
  }
  if (!/^parcel_(length|width|height)_mm$/.test(option)) return null
  const write = (size: number) => lengthText(size, system)
  return { write, bare: lengthUnit[system], example: write(system === 'us' ? 305 : 300) }
}

/** A weight or a length. The form keeps grams or millimeters, and what cannot be read as it was typed. */
function MeasureField({ field, value, error, onChange, measure }: FieldProps & { measure: Measure }) {
  const id = useId()
  const written = /^\d+$/.test(value) ? measure.write(Number(value)) : value
  const [typed, setTyped] = useState(written)
  const sizeOf = (text: string) => readMeasure(text, measure.bare)
  const isWrong = typed.trim() !== '' && sizeOf(typed) === null
  const problem = isWrong ? text('choice.measure', { example: measure.example }) : error
  return (
    <div class="field">
      <label for={id}>{field.label ?? choiceLabel(field.option)}</label>
      <input
        id={id}
        value={String(sizeOf(typed) ?? '') === value ? typed : written}
        maxLength={maxText}
        placeholder={measure.example}
        autoComplete="off"
        aria-required={field.required}
        {...wrong(id, problem)}
        onInput={({ currentTarget }) => {
          setTyped(currentTarget.value)
          onChange(String(sizeOf(currentTarget.value) ?? ''))
        }}
      />
      <FieldError id={id} error={problem} />
    </div>
  )
}

/** Tells the seller to create something on the platform first, such as a policy. */
function NothingThere(props: FieldProps & { platform: string; onLookAgain: () => void }) {
  const { field, error, platform } = props
  const id = useId()
  return (
    <div class="field">
      <p class="label" id={`${id}-label`}>
        {field.label ?? choiceLabel(field.option)}
      </p>
      <p id={`${id}-nothing`}>{text('choice.nothing', { platform })}</p>
      {field.link && (
        <a class="button" href={field.link} target="_blank" rel="noreferrer" aria-describedby={`${id}-label`}>
          {text('choice.make', { platform })}
        </a>
      )}
      <button
        type="button"
        aria-describedby={`${id}-label ${id}-nothing`}
        {...wrong(id, error)}
        onClick={props.onLookAgain}
      >
        {text('choice.look_again')}
      </button>
      <FieldError id={id} error={error} />
    </div>
  )
}
