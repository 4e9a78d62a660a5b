import { ArrowDown, ArrowUp } from 'lucide-preact'
import type { InventoryRow } from '#extension/storage/inventory-cache/row.ts'
import type { ExtensionTask } from '#shared/contract/selling/tasks.ts'
import { agoText, moneyText, whenText } from '../common/format.ts'
import { chipsOf, PlatformChips } from '../components/platform-chips.tsx'
import { Thumb } from '../components/thumb.tsx'
import { type CellField, isCellField } from './edit-cell.ts'
import { EditableCell } from './editable-cell.tsx'
import type { SortBy, Sorting } from './filter-rows.ts'
import type { Column } from './grid.tsx'
import type { OptionalColumn } from './optional-columns.ts'
import type { CellEdits } from './use-cell-edits.tsx'
import { text } from './words.ts'

/** Columns that start with the least: words by the alphabet. The others start with the most. */
const ascending: readonly SortBy[] = ['title', 'brand', 'category', 'size', 'location', 'sku']

const dayMs = 86_400_000

/** Returns the columns of the inventory: those that are always there, and the optional ones in `shown`. */
export function inventoryColumns(props: {
  shown: readonly OptionalColumn[]
  tasks: ReadonlyMap<string, readonly ExtensionTask[]>
  sorting: Sorting
  onSort: (sorting: Sorting) => void
  everyOne: boolean
  onToggleAll: () => void
  has: (row: InventoryRow) => boolean
  onToggle: (row: InventoryRow, range: boolean) => void
  edits: CellEdits
}): Column<InventoryRow>[] {
  const { sorting } = props
  const sortable = (by: SortBy) => ({
    key: by,
    head: <SortButton by={by} sorting={sorting} onSort={props.onSort} />,
    sorted: sorting.by === by ? (sorting.down ? ('descending' as const) : ('ascending' as const)) : ('none' as const),
  })
  const words = (by: 'brand' | 'category' | 'size' | 'location' | 'sku', width: number): Column<InventoryRow> => ({
    ...sortable(by),
    width,
    cell: (row) => <span class="cut">{row[by] ?? ''}</span>,
  })
  const editable = (field: CellField, column: Column<InventoryRow>): Column<InventoryRow> => ({
    ...column,
    cell: (row) => (
      <EditableCell row={row} field={field} edits={props.edits}>
        {column.cell(row)}
      </EditableCell>
    ),
    onEdit: (row) => props.edits.start(row, field),
  })
  const now = Date.now()
  const optional: Record<OptionalColumn, Column<InventoryRow>> = {
    cost: {
      ...sortable('cost'),
      width: 84,
      cell: (row) => (row.cost_minor === null ? '' : moneyText(row.cost_minor, row.currency)),
    },
    listed: {
      ...sortable('listed'),
      width: 88,
      cell: (row) =>
        row.listed_at === null ? (
          ''
        ) : (
          <span title={whenText(row.listed_at)}>{Math.max(0, Math.floor((now - row.listed_at) / dayMs))}</span>
        ),
    },
    age: {
      ...sortable('age'),
      width: 84,
      cell: (row) => <span title={whenText(row.created_at)}>{agoText(row.created_at)}</span>,
    },
    brand: words('brand', 112),
    category: words('category', 112),
    size: words('size', 64),
    location: words('location', 112),
    sku: words('sku', 112),
  }
  const plain: Column<InventoryRow>[] = [
    {
      key: 'choose',
      width: 16,
      head: (
        <input
          type="checkbox"
          aria-label={text('inventory.choose_all')}
          checked={props.everyOne}
          onChange={props.onToggleAll}
        />
      ),
      cell: (row) => (
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={text('inventory.choose', { title: row.title })}
          checked={props.has(row)}
          onClick={(event) => props.onToggle(row, event.shiftKey)}
        />
      ),
    },
    {
      key: 'picture',
      width: 40,
      head: <span class="hidden">{text('inventory.picture')}</span>,
      cell: (row) => <Thumb src={row.image} />,
    },
    {
      ...sortable('title'),
      width: 320,
      grows: true,
      cell: (row) => (
        <a class="cut" href={`#item/${row.uid}`} tabIndex={-1}>
          {row.title}
        </a>
      ),
    },
    { ...sortable('price'), width: 88, cell: (row) => moneyText(row.price_minor, row.currency) },
    {
      key: 'state',
      width: 92,
      head: text('inventory.state'),
      cell: (row) => <span class={`state ${row.state}`}>{text(row.draft ? 'state.draft' : `state.${row.state}`)}</span>,
    },
    {
      key: 'live',
      width: 136,
      head: text('inventory.live'),
      cell: (row) => <PlatformChips chips={chipsOf(row, props.tasks.get(row.uid))} />,
    },
    ...props.shown.map((column) => optional[column]),
  ]
  return plain.map((column) => (isCellField(column.key) ? editable(column.key, column) : column))
}

function SortButton(props: { by: SortBy; sorting: Sorting; onSort: (sorting: Sorting) => void }) {
  const { by, sorting } = props
  const on = sorting.by === by
  const Arrow = sorting.down ? ArrowDown : ArrowUp
  return (
    <button
      type="button"
      class="sort"
      onClick={() => props.onSort({ by, down: on ? !sorting.down : !ascending.includes(by) })}
    >
      {text(by === 'title' ? 'inventory.title_head' : `inventory.${by}`)}
      {on && <Arrow size={12} aria-hidden="true" />}
    </button>
  )
}
