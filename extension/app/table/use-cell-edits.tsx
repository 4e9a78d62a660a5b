import { useRef, useState } from 'preact/hooks'
import { errorText } from '#extension/messaging/error-text.ts'
import type { InventoryRow } from '#extension/storage/inventory-cache/row.ts'
import { amountText, readAmount } from '../common/amount.ts'
import { moneyText } from '../common/format.ts'
import { platformNames } from '../common/platform-names.ts'
import { offerUndo } from '../components/undo-toast.tsx'
import { type CellField, nextCell, priceFollows, readCell } from './edit-cell.ts'
import { CellRefusedError, saveCell } from './save-cell.ts'
import { text } from './words.ts'

interface Cell {
  uid: string
  field: CellField
}

/** The text of a cell that the server does not have yet. `problem`: why it was not taken. */
interface Draft {
  text: string
  problem: string | null
}

const keyOf = ({ uid, field }: Cell) => `${uid} ${field}`

/**
 * Editing in the table. A cell is saved while the next one is edited; one that is refused keeps its text and says why in
 * its place. `fields`: the editable columns as they stand.
 */
export function useCellEdits(props: {
  rows: readonly InventoryRow[]
  fields: readonly CellField[]
  onChanged: () => Promise<void>
}) {
  const [editing, setEditing] = useState<Cell | null>(null)
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Draft>>(new Map())
  const now = useRef(editing)
  now.current = editing
  const put = (cell: Cell, draft: Draft | null) =>
    setDrafts((before) => {
      const next = new Map(before)
      if (draft) next.set(keyOf(cell), draft)
      else next.delete(keyOf(cell))
      return next
    })

  const commit = (row: InventoryRow, field: CellField, typed: string, move: 'down' | 'right' | 'left' | null) => {
    const cell = { uid: row.uid, field }
    const change = readCell(row, field, typed)
    if (change?.problem) return put(cell, { text: typed, problem: problemText(change.problem, row) })
    const index = props.rows.findIndex(({ uid }) => uid === row.uid)
    const next = move && nextCell({ index, field }, move, props.fields, props.rows.length)
    setEditing(next ? { uid: props.rows[next.index]!.uid, field: next.field } : null)
    if (!change) return put(cell, null)
    put(cell, { text: typed.trim(), problem: null })
    void saveCell(row, change).then(
      async (changed) => {
        offerUndo(savedText(row, field, typed.trim()), changed)
        await props.onChanged()
        put(cell, null)
      },
      (error: unknown) => {
        put(cell, { text: typed, problem: error instanceof CellRefusedError ? error.message : errorText(error) })
        // The seller who is not editing another cell goes on here.
        if (now.current === null) setEditing(cell)
      },
    )
  }

  return {
    editing,
    start: (row: InventoryRow, field: CellField) => setEditing({ uid: row.uid, field }),
    draftOf: (row: InventoryRow, field: CellField) => drafts.get(keyOf({ uid: row.uid, field })) ?? null,
    commit,
    cancel: (row: InventoryRow, field: CellField) => {
      put({ uid: row.uid, field }, null)
      setEditing(null)
    },
  }
}
export type CellEdits = ReturnType<typeof useCellEdits>

function problemText(problem: 'amount' | 'above_zero' | 'too_long', { currency }: InventoryRow): string {
  if (problem === 'too_long') return text('cell.too_long')
  return problem === 'amount'
    ? text('form.problem.amount', { example: amountText(1_250, currency) })
    : text('cell.above_zero')
}

function savedText(row: InventoryRow, field: CellField, typed: string): string {
  const { sent } = priceFollows(row)
  const name = text(`inventory.${field}`)
  const minor = field === 'price' || field === 'cost' ? readAmount(typed, row.currency) : null
  const value = minor === null ? typed : moneyText(minor, row.currency)
  if (value === '') return text('cell.cleared', { field: name, title: row.title })
  if (field !== 'price' || sent.length === 0) return text('cell.saved', { field: name, value, title: row.title })
  return text('cell.saved_sent', { field: name, value, title: row.title, platforms: platformNames(sent) })
}
