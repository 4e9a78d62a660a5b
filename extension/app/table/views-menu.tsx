import { Bookmark, X } from 'lucide-preact'
import { useMemo, useState } from 'preact/hooks'
import type { InventoryRow } from '#extension/storage/inventory-cache/row.ts'
import type { View } from '#shared/contract/catalog/views.ts'
import { todos } from '#shared/item/inventory-view.ts'
import { handleSubmit } from '../common/handle-submit.ts'
import { TextInput } from '../components/fields.tsx'
import { IconButton } from '../components/icon-button.tsx'
import { Menu } from '../components/menu.tsx'
import { everything, newestFirst, todoOf } from './filter-rows.ts'
import { isPlain, isSameView, type ViewContent } from './saved-views.ts'
import { text } from './words.ts'

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
      onSubmit={handleSubmit(() => {
        if (named !== '') onSave(named)
      })}
    >
      <TextInput label={text('view.name')} maxLength={60} autocomplete="off" value={name} onInput={setName} />
      <button type="submit" class="main" aria-disabled={named === ''}>
        {text('save')}
      </button>
    </form>
  )
}

/**
 * The views of items with something to do, where there are any, and the saved views. A press applies one, and on the applied one shows
 * everything; only the applied saved one can be deleted.
 */
export function SavedViews(props: {
  saved: readonly View[]
  rows: readonly InventoryRow[]
  view: ViewContent
  onApply: (view: ViewContent) => void
  onRemove: (uid: string) => void
}) {
  const counts = useMemo(() => Object.groupBy(props.rows, (row) => todoOf(row) ?? 'nothing'), [props.rows])
  const open = todos.filter((todo) => counts[todo] !== undefined || props.view.filter.todo === todo)
  if (props.saved.length === 0 && open.length === 0) return null
  return (
    <ul class="view-list" aria-label={text('view.saved')}>
      {open.map((todo) => {
        const isOn = props.view.filter.todo === todo
        const filter = isOn ? everything : { todo }
        return (
          <li key={todo}>
            <button
              type="button"
              aria-pressed={isOn}
              onClick={() => props.onApply({ filter, columns: props.view.columns, sort: newestFirst })}
            >
              {text(`todo.${todo}`, { n: counts[todo]?.length ?? 0 })}
            </button>
          </li>
        )
      })}
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
              <IconButton
                icon={X}
                size={14}
                label={text('view.delete', { name })}
                title={text('view.delete', { name })}
                onClick={() => props.onRemove(uid)}
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}
