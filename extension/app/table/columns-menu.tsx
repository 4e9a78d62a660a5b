import { Columns3 } from 'lucide-preact'
import { viewColumns } from '#shared/item/inventory-view.ts'
import { Checkbox } from '../components/fields.tsx'
import { Menu } from '../components/menu.tsx'
import type { OptionalColumn } from './optional-columns.ts'
import { text } from './words.ts'

/** Chooses the optional columns of the table. Narrow windows have no columns, and no menu. */
export function ColumnsMenu(props: { shown: readonly OptionalColumn[]; onToggle: (column: OptionalColumn) => void }) {
  return (
    <Menu class="columns-menu" label={text('inventory.columns')} icon={<Columns3 size={16} aria-hidden="true" />}>
      {() =>
        viewColumns.map((column) => (
          <Checkbox
            key={column}
            label={text(`inventory.${column}`)}
            checked={props.shown.includes(column)}
            onChange={() => props.onToggle(column)}
          />
        ))
      }
    </Menu>
  )
}
