import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'
import { text } from '#extension/i18n/text.ts'
import type { ChoiceField } from '../choice-form.ts'
import { choiceLabel } from '../choice-text.ts'
import { CategoryField, type SearchCategories } from './category-field.tsx'

/** eBay's length limit for an aspect's text. */
const maxText = 65

export interface FieldProps {
  field: ChoiceField
  value: string
  /** The error to show, or null. */
  error: string | null
  onChange: (value: string) => void
}

/** A form field for one choice, with its error. */
export function AnyField(props: FieldProps & { platform: string; search: SearchCategories; onLookAgain: () => void }) {
  const { field } = props
  if (field.kind === 'category') return <CategoryField {...props} />
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

/** Links a control to its error for screen readers. */
export function wrong(id: string, error: string | null) {
  return error === null ? {} : { 'aria-invalid': true, 'aria-describedby': `${id}-error` }
}

export function FieldError({ id, error }: { id: string; error: string | null }) {
  if (error === null) return null
  return (
    <p class="wrong" id={`${id}-error`}>
      {error}
    </p>
  )
}
