import { useState } from 'preact/hooks'
import { particularsOf } from '#shared/item/kind-particulars.ts'
import { type ParticularName, particularNames, particulars } from '#shared/item/particulars.ts'
import { kindsOf } from '#shared/item/title-kind.ts'
import { exampleLength, ownUnits } from '../common/own-units.ts'
import { fieldId } from './field-id.ts'
import { text } from './form-words.ts'
import { type ItemForm, unreadableParticulars } from './item-form.ts'

/** The measurements and particulars of an item's kind, which its title and category say, and those that it has already. */
export function ParticularsField(props: {
  form: ItemForm
  isWrong: boolean
  onChange: (given: ItemForm['particulars']) => void
}) {
  const { form, isWrong, onChange } = props
  const [added, setAdded] = useState<ParticularName[]>([])
  const ofKind = particularsOf(form)
  const others = particularNames.filter((name) => !ofKind.includes(name))
  const isShown = (name: ParticularName) => added.includes(name) || form.particulars[name] !== undefined
  const names = [...ofKind, ...others.filter(isShown)]
  const unreadable = unreadableParticulars(form)
  return (
    <details
      class="group"
      open={isWrong || Object.keys(form.particulars).length > 0 || kindsOf(form).length > 0 || undefined}
    >
      <summary>{text('field.particulars')}</summary>
      <div class="particulars">
        {names.map((name) => {
          const { label, as } = particulars[name]
          const isBad = isWrong && unreadable.includes(name)
          // The form focuses a field with a problem by its id.
          const id = name === unreadable[0] ? fieldId('particulars') : `particular-${name}`
          return (
            <div key={name} class="field">
              <label class="label" for={id}>
                {label}
              </label>
              <input
                id={id}
                autocomplete="off"
                maxLength={200}
                placeholder={as === 'text' ? undefined : as === 'small' ? 'mm' : ownUnits() === 'us' ? 'in' : 'cm'}
                value={form.particulars[name] ?? ''}
                aria-invalid={isBad ? true : undefined}
                aria-describedby={isBad ? `${id}-wrong` : undefined}
                onInput={(event) => onChange({ ...form.particulars, [name]: event.currentTarget.value })}
              />
              {isBad && (
                <p class="wrong" id={`${id}-wrong`}>
                  {text('form.problem.length', { example: as === 'small' ? '36 mm' : exampleLength() })}
                </p>
              )}
            </div>
          )
        })}
        <div class="field">
          <label class="label" for="particular-more">
            {text('form.particulars_more')}
          </label>
          <select
            id="particular-more"
            value=""
            onChange={(event) => {
              const name = event.currentTarget.value as ParticularName
              setAdded([...added, name])
              requestAnimationFrame(() => document.getElementById(`particular-${name}`)?.focus())
            }}
          >
            <option value="">{text('form.particulars_choose')}</option>
            {others
              .filter((name) => !isShown(name))
              .map((name) => (
                <option key={name} value={name}>
                  {particulars[name].label}
                </option>
              ))}
          </select>
        </div>
      </div>
    </details>
  )
}
