import { Ellipsis } from 'lucide-preact'
import { useLayoutEffect, useMemo, useState } from 'preact/hooks'
import { isConnected, type Overview } from '#extension/messaging/overview.ts'
import type { InventoryRow } from '#extension/storage/inventory-cache/row.ts'
import type { ExtensionTask } from '#shared/contract/selling/tasks.ts'
import type { InventoryFilter } from '#shared/item/inventory-filter.ts'
import type { Availability } from '#shared/item/inventory-record.ts'
import { platforms } from '#shared/platforms.ts'
import { Menu } from '../components/menu.tsx'
import { NoAccess } from '../components/no-access.tsx'
import { Notice } from '../components/notice.tsx'
import { Choice, platformOptions, Sentence } from '../components/sentence.tsx'
import type { InventoryView } from '../hooks/use-inventory.ts'
import { useHost } from '../host.ts'
import { ColumnsMenu } from './columns-menu.tsx'
import { isCellField } from './edit-cell.ts'
import { FilterChips, FilterMenu } from './filter-menu.tsx'
import { everything, filterRows, newestFirst, sortRows } from './filter-rows.ts'
import { Grid } from './grid.tsx'
import { inventoryColumns } from './inventory-columns.tsx'
import { type OptionalColumn, useShownColumns } from './optional-columns.ts'
import { useSavedViews, type ViewContent } from './saved-views.ts'
import { SelectionBar } from './selection-bar.tsx'
import { useCellEdits } from './use-cell-edits.tsx'
import { useRowSelection } from './use-row-selection.ts'
import { SavedViews, SaveViewMenu } from './views-menu.tsx'
import { gapsOf, text } from './words.ts'

const states = ['available', 'reserved', 'sold', 'withdrawn'] as const satisfies readonly Availability[]

/** The whole inventory in a table, with a filter, sorting and a selection. */
export function InventoryPage(props: {
  inventory: InventoryView & { refresh: () => Promise<void> }
  overview: Overview
  hidden: boolean
  /** Called with the ids of the rows as they stand, which the item's page steps through. */
  onOrder: (uids: readonly string[]) => void
}) {
  const { inventory, overview } = props
  const [filter, setFilter] = useState(everything)
  const [sorting, setSorting] = useState(newestFirst)
  const [shown, show] = useShownColumns()
  const views = useSavedViews()
  const view: ViewContent = { filter, columns: shown, sort: sorting }
  const applyView = (next: ViewContent) => {
    setFilter(next.filter)
    show(next.columns)
    setSorting(next.sort)
  }
  const all = inventory.rows ?? []
  const rows = useMemo(() => {
    const kept = filterRows(all, filter)
    // Keep the best match first unless another order is chosen.
    return sorting.by === 'age' && sorting.down ? kept : sortRows(kept, sorting)
  }, [inventory.rows, filter, sorting])
  useLayoutEffect(() => props.onOrder(rows.map(({ uid }) => uid)), [rows])
  const fields = ['price', ...shown].filter(isCellField)
  const edits = useCellEdits({ rows, fields, onChanged: inventory.refresh })
  const tasks = useMemo(() => tasksByItem(overview.tasks ?? []), [overview.tasks])
  const { selected, unseen, everyOne, has, toggle, extend, toggleAll, clear } = useRowSelection(all, rows)
  const columns = inventoryColumns({
    shown,
    tasks,
    sorting,
    onSort: setSorting,
    everyOne,
    onToggleAll: toggleAll,
    has,
    onToggle: (row, range) => toggle(rows.indexOf(row), range),
    edits,
  })
  const toggleColumn = (column: OptionalColumn) => {
    // An order without its heading could not be seen.
    const isOn = shown.includes(column)
    if (isOn && sorting.by === column) setSorting(newestFirst)
    show(isOn ? shown.filter((one) => one !== column) : [...shown, column])
  }
  // Also after a reading that broke off: then this browser has a part, too.
  const isPart = !inventory.complete

  return (
    <main class="page" hidden={props.hidden} aria-busy={inventory.syncing}>
      <h1 class="hidden" tabIndex={-1}>
        {text('palette.inventory')}
      </h1>
      <InventoryTrouble inventory={inventory} n={all.length} />
      <search class="filter">
        <FilterSentence filter={filter} rows={all} onFilter={setFilter} />
        <p class="soft count" role="status">
          {inventory.rows !== null && (inventory.complete || all.length > 0)
            ? countText({ n: rows.length, read: all.length, isPart: isPart || !inventory.fresh, ...inventory })
            : text(inventory.trouble ? 'search.unread' : inventory.slow ? 'loading.slow' : 'search.reading')}
        </p>
        <div class="filter-actions">
          <SaveViewMenu view={view} onSave={(name) => void views.save({ name, ...view })} />
          <ColumnsMenu shown={shown} onToggle={toggleColumn} />
          <a class="button" href="#scan">
            {text('palette.scan')}
          </a>
          <Menu class="more" label={text('inventory.more')} icon={<Ellipsis size={16} aria-hidden="true" />}>
            {() => (
              <>
                <a href="#files">{text('inventory.files_link')}</a>
                <a href="#drafts">{text('drafts.title')}</a>
                <a href="#shelf">{text('palette.shelf')}</a>
                <a href="#differences">{text('palette.differences')}</a>
                <a href="#changes">{text('palette.changes')}</a>
              </>
            )}
          </Menu>
          <a class="button main" href="#new">
            {text('form.add')}
          </a>
        </div>
      </search>
      {views.problem && <Notice tone="bad">{views.problem}</Notice>}
      <SavedViews
        saved={views.saved}
        rows={all}
        view={view}
        onApply={applyView}
        onRemove={(uid) => void views.remove(uid)}
      />
      {all.length === 0 && inventory.complete ? (
        <EmptyInventory isConnected={overview.platforms.some(({ health }) => isConnected(health))} />
      ) : rows.length === 0 && all.length > 0 ? (
        <div class="center">
          <p>{text('inventory.none')}</p>
          <p>
            <button type="button" onClick={() => setFilter(everything)}>
              {text('inventory.show_all')}
            </button>
          </p>
        </div>
      ) : (
        <Grid
          kind="inventory"
          label={text('palette.inventory')}
          count={rows.length}
          order={JSON.stringify([filter, sorting])}
          columns={columns}
          rowAt={(index) => rows[index] ?? null}
          onOpen={(row) => {
            location.hash = `item/${row.uid}`
          }}
          selection={{ has, toggle, extend }}
        />
      )}
      {selected.length > 0 && (
        <SelectionBar
          rows={selected}
          unseen={unseen}
          partOf={isPart ? { n: all.length, total: Math.max(inventory.total ?? 0, all.length) } : null}
          platforms={overview.platforms}
          onClear={clear}
          onShow={() => setFilter(everything)}
          onChanged={inventory.refresh}
        />
      )}
    </main>
  )
}

/** Says why the inventory cannot be read now, or that it takes long. */
function InventoryTrouble(props: { inventory: InventoryView & { refresh: () => Promise<void> }; n: number }) {
  const { inventory, n } = props
  const { server } = useHost()
  return (
    <>
      {inventory.trouble?.code === 'permission' && <NoAccess server={server} onAllowed={inventory.refresh} />}
      {inventory.trouble && inventory.trouble.code !== 'permission' && (
        <Notice
          tone={inventory.trouble.code === 'offline' ? 'plain' : 'warn'}
          action={{ label: text('retry'), act: inventory.refresh }}
        >
          {text(inventory.trouble.code === 'offline' ? 'inventory.offline' : 'inventory.failed', { n: n })}
        </Notice>
      )}
      {!inventory.trouble && inventory.slow && n > 0 && (
        <Notice tone="plain">{text('inventory.slow', { n: n })}</Notice>
      )}
    </>
  )
}

/** Says how many rows are shown. `read` and `total`: how many of the inventory this browser has, and how many there are. */
function countText(given: {
  n: number
  read: number
  total: number | null
  isPart: boolean
  syncing: boolean
}): string {
  const { n, read, total, isPart, syncing } = given
  if (!isPart) return text('inventory.count', { n, total: read })
  if (total === null || total <= read) return text('inventory.reading', { n: read })
  return text(syncing ? 'inventory.reading_of' : 'inventory.read_of', { n: read, total })
}

/** The filter as a sentence with gaps. */
function FilterSentence(props: {
  filter: InventoryFilter
  rows: readonly InventoryRow[]
  onFilter: (filter: InventoryFilter) => void
}) {
  const { filter } = props
  return (
    <Sentence
      parts={gapsOf('filter.sentence')}
      gaps={{
        state: (
          <Choice
            label={text('inventory.state')}
            value={filter.state ?? 'any'}
            options={[['any', text('filter.any')], ...states.map((state) => [state, text(`filter.${state}`)] as const)]}
            onChange={(state) => props.onFilter({ ...filter, state: state === 'any' ? undefined : state })}
          />
        ),
        on: (
          <Choice
            label={text('filter.on_label')}
            value={filter.on ?? 'any'}
            options={[
              ['any', text('filter.anywhere')],
              ...platformOptions(platforms, 'filter.on'),
              ['nowhere', text('filter.nowhere')],
            ]}
            onChange={(on) => props.onFilter({ ...filter, on: on === 'any' ? undefined : on })}
          />
        ),
        off: (
          <Choice
            label={text('filter.off_label')}
            value={filter.off ?? 'none'}
            options={[['none', text('filter.no_exception')], ...platformOptions(platforms, 'filter.off')]}
            onChange={(off) => props.onFilter({ ...filter, off: off === 'none' ? undefined : off })}
          />
        ),
        more: (
          <>
            <FilterChips filter={filter} onFilter={props.onFilter} />
            <FilterMenu rows={props.rows} filter={filter} onFilter={props.onFilter} />
          </>
        ),
        words: (
          <input
            type="search"
            aria-label={text('filter.words')}
            placeholder={text('filter.words')}
            value={filter.query ?? ''}
            onInput={(event) => props.onFilter({ ...filter, query: event.currentTarget.value })}
            onKeyDown={(event) => {
              if (event.key !== 'ArrowDown' && event.key !== 'Enter') return
              event.preventDefault()
              event.currentTarget.closest('main')?.querySelector<HTMLElement>('[role=grid]')?.focus()
            }}
          />
        ),
      }}
    />
  )
}

/** Offers the first steps to a seller without items. */
function EmptyInventory(props: { isConnected: boolean }) {
  return (
    <div class="center">
      <h2>{text('inventory.empty')}</h2>
      <p class="soft">{text('inventory.empty_text')}</p>
      <p>
        <a class="button main" href="#home">
          {text(props.isConnected ? 'started.import' : 'empty.title')}
        </a>{' '}
        <a class="button" href="#files">
          {text('inventory.choose_file')}
        </a>
      </p>
    </div>
  )
}

function tasksByItem(tasks: readonly ExtensionTask[]): Map<string, ExtensionTask[]> {
  const byItem = new Map<string, ExtensionTask[]>()
  for (const task of tasks) {
    byItem.set(task.inventory_item_uid, [...(byItem.get(task.inventory_item_uid) ?? []), task])
  }
  return byItem
}
