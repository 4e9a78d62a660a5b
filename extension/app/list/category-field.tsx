import { useId, useRef, useState } from 'preact/hooks'
import { Notice } from '../components/notice.tsx'
import { useAction } from '../hooks/use-request.ts'
import { choiceLabel } from './choice-text.ts'
import { FieldError, type FieldProps, wrong } from './field-error.tsx'
import { text } from './words.ts'

interface Category {
  id: string
  name: string
  suggested?: boolean | undefined
}

export type SearchCategories = (words: string) => Promise<Category[]>

/** A category field: suggestions, a search, and always the current selection. */
export function CategoryField(props: FieldProps & { platform: string; search: SearchCategories }) {
  const { field, value, error, platform } = props
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [found, setFound] = useState<{ words: string; categories: Category[] } | null>(null)
  // Remembers the name of a category selected from an earlier search.
  const [picked, setPicked] = useState<Category | null>(null)
  const { busy, problem, act } = useAction()
  const search = () => {
    const words = input.current?.value.trim()
    if (!words) return
    void act('search', async () => setFound({ words, categories: await props.search(words) }))
  }
  const shown = withChosen(found && found.categories.length > 0 ? found.categories : field.values, value, [
    ...(picked ? [picked] : []),
    ...field.values,
  ])
  return (
    <fieldset class="field category" aria-describedby={error === null ? undefined : `${id}-error`}>
      <legend class="label">{field.label ?? choiceLabel(field.option)}</legend>
      <div class="search">
        <label for={id} class="hidden">
          {text('choice.search', { platform })}
        </label>
        <input
          id={id}
          ref={input}
          maxLength={100}
          autoComplete="off"
          placeholder={text('choice.search', { platform })}
          {...wrong(id, error)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            // Enter searches; it must not submit the form.
            event.preventDefault()
            search()
          }}
        />
        <button type="button" aria-disabled={busy !== null} onClick={search}>
          {text('choice.search_go')}
        </button>
      </div>
      {problem && <Notice tone="bad">{problem}</Notice>}
      <p role="status" class="soft">
        {found && !busy && foundText(found)}
      </p>
      <div class="offered">
        {shown.map((one) => (
          <label key={one.id} class="check">
            <input
              type="radio"
              name={id}
              checked={one.id === value}
              onChange={() => {
                setPicked(one)
                props.onChange(one.id)
              }}
            />
            <span>{one.suggested ? text('choice.suggested', { name: one.name }) : one.name}</span>
          </label>
        ))}
      </div>
      <FieldError id={id} error={error} />
    </fieldset>
  )
}

function foundText({ words, categories }: { words: string; categories: Category[] }): string {
  return categories.length === 0 ? text('choice.found_none', { words }) : text('choice.found', { n: categories.length })
}

/** Puts the selected category first if the list lacks it. */
function withChosen(categories: Category[], value: string, known: Category[]): Category[] {
  if (value === '' || categories.some(({ id }) => id === value)) return categories
  const name = known.find(({ id }) => id === value)?.name ?? text('choice.before', { id: value })
  return [{ id: value, name }, ...categories]
}
