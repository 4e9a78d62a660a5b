import { Bookmark, X } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { text } from '#extension/i18n/text.ts'
import { Menu } from '#extension/ui/components/menu.tsx'
import { everything, type InventoryFilter } from '../filter-rows.ts'
import { isSameFilter, type SavedFilter } from '../saved-filters.ts'

/** Saves the current filter under a name. */
export function SaveFilterMenu(props: { filter: InventoryFilter; onSave: (name: string) => void }) {
  return (
    <Menu class="save-filter" label={text('filter.save')} icon={<Bookmark size={16} aria-hidden="true" />}>
      {(close) =>
        isSameFilter(props.filter, everything) ? (
          <p>{text('filter.save_nothing')}</p>
        ) : (
          <SaveForm
            onSave={(name) => {
              props.onSave(name)
              close()
            }}
          />
        )
      }
    </Menu>
  )
}

function SaveForm({ onSave }: { onSave: (name: string) => void }) {
  const [name, setName] = useState('')
  const named = name.trim()
  return (
    <form
      class="joined"
      onSubmit={(event) => {
        event.preventDefault()
        if (named !== '') onSave(named)
      }}
    >
      <label>
        {text('filter.name')}
        <input maxLength={60} autocomplete="off" value={name} onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <button type="submit" class="main" aria-disabled={named === ''}>
        {text('filter.save_go')}
      </button>
    </form>
  )
}

/** The saved filters. A press applies one, and on the applied one clears it; only the applied one can be deleted. */
export function SavedFilters(props: {
  saved: readonly SavedFilter[]
  filter: InventoryFilter
  onApply: (filter: InventoryFilter) => void
  onRemove: (name: string) => void
}) {
  if (props.saved.length === 0) return null
  return (
    <ul class="saved-filters" aria-label={text('filter.saved')}>
      {props.saved.map(({ name, filter }) => {
        const isOn = isSameFilter(filter, props.filter)
        return (
          <li key={name}>
            <button type="button" aria-pressed={isOn} onClick={() => props.onApply(isOn ? everything : filter)}>
              {name}
            </button>
            {isOn && (
              <button
                type="button"
                class="icon"
                aria-label={text('filter.delete', { name })}
                title={text('filter.delete', { name })}
                onClick={() => props.onRemove(name)}
              >
                <X size={14} aria-hidden="true" />
              </button>
            )}
          </li>
        )
      })}
    </ul>
  )
}
