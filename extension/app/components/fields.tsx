import type { ComponentChildren, JSX } from 'preact'

type InputProps = Omit<JSX.InputHTMLAttributes<HTMLInputElement>, 'label' | 'ref' | 'onInput'>
type SelectProps = Omit<JSX.SelectHTMLAttributes<HTMLSelectElement>, 'label' | 'ref' | 'value' | 'onChange'>

/** A text field with its label. */
export function TextInput(props: InputProps & { label: ComponentChildren; onInput?: (value: string) => void }) {
  const { label, onInput, ...input } = props
  return (
    <label>
      {label}
      <input {...input} onInput={(event) => onInput?.(event.currentTarget.value)} />
    </label>
  )
}

/** A select with its label. `options`: values with their words. */
export function Select<Value extends string | number>(
  props: SelectProps & {
    label: ComponentChildren
    value: Value
    options: readonly (readonly [Value, string])[]
    onChange: (value: Value) => void
  },
) {
  const { label, options, onChange, ...select } = props
  return (
    <label>
      {label}
      <select
        {...select}
        onChange={({ currentTarget }) => {
          const chosen = options.find(([value]) => String(value) === currentTarget.value)
          if (chosen) onChange(chosen[0])
        }}
      >
        {options.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </select>
    </label>
  )
}

/** A checkbox with its label. `indeterminate`: some of what it stands for is checked. */
export function Checkbox(props: {
  label: ComponentChildren
  checked: boolean
  indeterminate?: boolean
  disabled?: boolean
  onChange: (checked: boolean) => void
}) {
  const { label, indeterminate = false, onChange, ...input } = props
  // A press clears it in the document, so it is set at each render.
  const mark = (box: HTMLInputElement | null) => {
    if (box) box.indeterminate = indeterminate
  }
  return (
    <label class="check">
      <input type="checkbox" ref={mark} {...input} onChange={(event) => onChange(event.currentTarget.checked)} />
      {label}
    </label>
  )
}
