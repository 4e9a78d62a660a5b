import type { ChoiceField } from './choice-form.ts'

export interface FieldProps {
  field: ChoiceField
  value: string
  error: string | null
  onChange: (value: string) => void
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
