import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import type { InventoryRow } from '#extension/storage/inventory-cache/row.ts'
import { platformNames } from '../common/platform-names.ts'
import { type CellField, cellText, priceFollows } from './edit-cell.ts'
import type { CellEdits } from './use-cell-edits.tsx'
import { text } from './words.ts'

/** A cell as it is, as it is being saved, or as a field. */
export function EditableCell(props: {
  row: InventoryRow
  field: CellField
  edits: CellEdits
  children: ComponentChildren
}) {
  const { row, field, edits } = props
  const { editing } = edits
  const draft = edits.draftOf(row, field)
  if (editing?.uid === row.uid && editing.field === field) return <Editor row={row} field={field} edits={edits} />
  if (!draft) return <span class="cut">{props.children}</span>
  return (
    <span class={draft.problem ? 'cut wrong' : 'cut soft'} title={draft.problem ?? text('saving')}>
      {draft.text}
      {draft.problem && <span class="hidden">{draft.problem}</span>}
    </span>
  )
}

function Editor({ row, field, edits }: { row: InventoryRow; field: CellField; edits: CellEdits }) {
  const draft = edits.draftOf(row, field)
  const input = useRef<HTMLInputElement>(null)
  // A key moves on by itself: the blur that follows is none of the seller's.
  const isLeaving = useRef(false)
  const id = useId()
  useLayoutEffect(() => {
    input.current?.focus()
    input.current?.select()
  }, [])
  const leave = (act: () => void) => {
    const grid = input.current?.closest<HTMLElement>('[role=grid]')
    isLeaving.current = true
    act()
    // Nothing is edited any more, or the next field takes the focus.
    grid?.focus({ preventScroll: true })
    isLeaving.current = false
  }
  const keys = (event: KeyboardEvent & { currentTarget: HTMLInputElement }) => {
    const { value } = event.currentTarget
    const moves: Record<string, 'down' | 'right' | 'left'> = { Enter: 'down', Tab: event.shiftKey ? 'left' : 'right' }
    const move = moves[event.key]
    if (event.isComposing || (!move && event.key !== 'Escape')) return event.stopPropagation()
    event.preventDefault()
    event.stopPropagation()
    if (!move) leave(() => edits.cancel(row, field))
    else edits.commit(row, field, value, move)
  }
  const follows = field === 'price' ? priceFollows(row) : null
  const notes = [
    draft?.problem,
    follows?.sent.length && text('cell.follows', { platforms: platformNames(follows.sent) }),
    follows?.onSale.length && text('price.ends_sale', { platforms: platformNames(follows.onSale) }),
    follows?.byHand.length && text('cell.by_hand', { platforms: platformNames(follows.byHand) }),
  ].filter(Boolean)
  return (
    <span class="editor">
      <input
        ref={input}
        autocomplete="off"
        inputMode={field === 'price' || field === 'cost' ? 'decimal' : 'text'}
        aria-label={text('cell.label', { field: text(`inventory.${field}`), title: row.title })}
        aria-invalid={draft?.problem ? true : undefined}
        aria-describedby={notes.length > 0 ? id : undefined}
        defaultValue={draft?.text ?? cellText(row, field)}
        onKeyDown={keys}
        onBlur={(event) => !isLeaving.current && edits.commit(row, field, event.currentTarget.value, null)}
      />
      {notes.length > 0 && (
        <span class={draft?.problem ? 'note wrong' : 'note'} id={id} role={draft?.problem ? 'alert' : undefined}>
          {notes.join(' ')}
        </span>
      )}
    </span>
  )
}
