import { ListFilter, X } from 'lucide-preact'
import { useId } from 'preact/hooks'
import type { InventoryRow } from '#extension/storage/inventory-cache/row.ts'
import type { InventoryFilter } from '#shared/item/inventory-filter.ts'
import { lackable } from '#shared/item/inventory-view.ts'
import { Checkbox, TextInput } from '../components/fields.tsx'
import { Menu } from '../components/menu.tsx'
import { text } from './words.ts'

interface Filtering {
  filter: InventoryFilter
  onFilter: (filter: InventoryFilter) => void
}

/** Conditions beside the sentence: price, days, brand, category, and what is missing. */
export function FilterMenu({ rows, filter, onFilter }: Filtering & { rows: readonly InventoryRow[] }) {
  const set = (change: InventoryFilter) => onFilter({ ...filter, ...change })
  const number = (field: 'price_from' | 'price_to' | 'listed_days') => (
    <TextInput
      label={text(`filter.${field}`)}
      type="number"
      inputMode="decimal"
      min={0}
      step={field === 'listed_days' ? 1 : 'any'}
      value={filter[field] ?? ''}
      onInput={(value) => {
        const read = Number(value)
        const isUsable = value !== '' && read >= 0 && read < 1e10
        set({ [field]: isUsable ? (field === 'listed_days' ? Math.floor(read) : read) : undefined })
      }}
    />
  )
  return (
    <Menu class="filter-menu" label={text('filter.more')} icon={<ListFilter size={16} aria-hidden="true" />}>
      {() => (
        <div class="filter-fields">
          <div class="pair-of-fields">
            {number('price_from')}
            {number('price_to')}
          </div>
          {number('listed_days')}
          <NameField name="brand" rows={rows} filter={filter} onFilter={onFilter} />
          <NameField name="category" rows={rows} filter={filter} onFilter={onFilter} />
          <fieldset>
            <legend>{text('filter.lacks')}</legend>
            {lackable.map((field) => (
              <Checkbox
                key={field}
                label={text(`inventory.${field}`)}
                checked={filter.lacks?.includes(field) ?? false}
                onChange={(checked) => {
                  const others = (filter.lacks ?? []).filter((one) => one !== field)
                  set({ lacks: checked ? [...others, field] : others })
                }}
              />
            ))}
          </fieldset>
        </div>
      )}
    </Menu>
  )
}

const mostNames = 200

function NameField({
  name,
  rows,
  filter,
  onFilter,
}: Filtering & { name: 'brand' | 'category'; rows: readonly InventoryRow[] }) {
  const id = useId()
  const names = [...new Set(rows.flatMap((row) => row[name] ?? []))].sort((one, other) => one.localeCompare(other))
  return (
    <label>
      {text(`inventory.${name}`)}
      <input
        list={id}
        autocomplete="off"
        maxLength={500}
        value={filter[name] ?? ''}
        onInput={(event) => onFilter({ ...filter, [name]: event.currentTarget.value || undefined })}
      />
      <datalist id={id}>
        {names.slice(0, mostNames).map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </label>
  )
}

/** The conditions of the menu that hold, each in words with a button that removes it. */
export function FilterChips({ filter, onFilter }: Filtering) {
  const { price_from, price_to, listed_days, brand, category, lacks = [] } = filter
  const price =
    price_from !== undefined && price_to !== undefined
      ? text('filter.chip.price', { from: price_from, to: price_to })
      : price_from !== undefined
        ? text('filter.chip.price_from', { from: price_from })
        : price_to !== undefined && text('filter.chip.price_to', { to: price_to })
  const chips: [string, string | false | undefined, InventoryFilter][] = [
    ['price', price, { price_from: undefined, price_to: undefined }],
    ['days', listed_days !== undefined && text('filter.chip.days', { n: listed_days }), { listed_days: undefined }],
    ['brand', brand && text('filter.chip.brand', { brand }), { brand: undefined }],
    ['category', category && text('filter.chip.category', { category }), { category: undefined }],
    ...lacks.map((field): [string, string, InventoryFilter] => [
      `no ${field}`,
      text(`filter.without.${field}`),
      { lacks: lacks.filter((one) => one !== field) },
    ]),
  ]
  return (
    <>
      {chips.map(
        ([name, words, without]) =>
          words && (
            <button
              key={name}
              type="button"
              class="filter-chip"
              aria-label={text('filter.remove', { condition: words })}
              onClick={() => onFilter({ ...filter, ...without })}
            >
              {words}
              <X size={12} aria-hidden="true" />
            </button>
          ),
      )}
    </>
  )
}
