import { Bookmark, X } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { text } from '#extension/i18n/text.ts'
import { Menu } from '#extension/ui/components/menu.tsx'
import type { View } from '#shared/contract/views.ts'
import { everything, newestFirst } from '../filter-rows.ts'
import { isPlain, isSameView, type ViewContent } from '../saved-views.ts'

/** Saves what the table shows under a name: filter, columns and order. */
export function SaveViewMenu(props: { view: ViewContent; onSave: (name: string) => void }) {
  return (
    <Menu class="save-view" label={text('view.save')} icon={<Bookmark size={16} aria-hidden="true" />}>
      {(close) =>
        isPlain(props.view) ? (
          <p>{text('view.save_nothing')}</p>
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
        {text('view.name')}
        <input maxLength={60} autocomplete="off" value={name} onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <button type="submit" class="main" aria-disabled={named === ''}>
        {text('view.save_go')}
      </button>
    </form>
  )
}

/** The saved views. A press applies one, and on the applied one shows everything; only the applied one can be deleted. */
export function SavedViews(props: {
  saved: readonly View[]
  view: ViewContent
  onApply: (view: ViewContent) => void
  onRemove: (uid: string) => void
}) {
  if (props.saved.length === 0) return null
  return (
    <ul class="saved-views" aria-label={text('view.saved')}>
      {props.saved.map(({ uid, name, ...view }) => {
        const isOn = isSameView(view, props.view)
        return (
          <li key={uid}>
            <button
              type="button"
              aria-pressed={isOn}
              onClick={() =>
                props.onApply(isOn ? { filter: everything, columns: view.columns, sort: newestFirst } : view)
              }
            >
              {name}
            </button>
            {isOn && (
              <button
                type="button"
                class="icon"
                aria-label={text('view.delete', { name })}
                title={text('view.delete', { name })}
                onClick={() => props.onRemove(uid)}
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
