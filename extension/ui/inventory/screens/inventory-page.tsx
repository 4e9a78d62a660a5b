import { useMemo, useState } from 'preact/hooks'
import { text } from '#extension/i18n/text.ts'
import { isConnected, type Overview } from '#extension/messaging/overview.ts'
import { NoAccess } from '#extension/ui/components/no-access.tsx'
import { Notice } from '#extension/ui/components/notice.tsx'
import type { InventoryView } from '#extension/ui/hooks/use-inventory.ts'
import type { ExtensionTask } from '#shared/contract/tasks.ts'
import type { Availability } from '#shared/inventory-record.ts'
import { platforms } from '#shared/platforms.ts'
import { everything, filterRows, newestFirst, sortRows } from '../filter-rows.ts'
import { type OptionalColumn, useShownColumns } from '../optional-columns.ts'
import { ColumnsMenu } from '../parts/columns-menu.tsx'
import { Grid } from '../parts/grid.tsx'
import { inventoryColumns } from '../parts/inventory-columns.tsx'
import { SavedFilters, SaveFilterMenu } from '../parts/saved-filters.tsx'
import { SelectionBar } from '../parts/selection-bar.tsx'
import { Choice, platformOptions, Sentence } from '../parts/sentence.tsx'
import { useSavedFilters } from '../saved-filters.ts'

const states = ['available', 'reserved', 'sold', 'withdrawn'] as const satisfies readonly Availability[]

/** The whole inventory in a table, with a filter, sorting and a selection. */
export function InventoryPage(props: {
  inventory: InventoryView & { refresh: () => Promise<void> }
  overview: Overview
  hidden: boolean
}) {
  const { inventory, overview } = props
  const [filter, setFilter] = useState(everything)
  const [sorting, setSorting] = useState(newestFirst)
  const [shown, toggleShown] = useShownColumns()
  const filters = useSavedFilters()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  // Kept by id, since filters and sorting move rows.
  const [last, setLast] = useState<string | null>(null)
  const all = inventory.rows ?? []
  const rows = useMemo(() => {
    const kept = filterRows(all, filter)
    // Keep the best match first unless another order is chosen.
    return sorting.by === 'age' && sorting.down ? kept : sortRows(kept, sorting)
  }, [inventory.rows, filter, sorting])
  const tasks = useMemo(() => tasksByItem(overview.tasks ?? []), [overview.tasks])
  const selected = useMemo(() => all.filter((row) => chosen.has(row.uid)), [inventory.rows, chosen])
  const unseen = useMemo(() => {
    if (selected.length === 0) return []
    const seen = new Set(rows.map((row) => row.uid))
    return selected.filter((row) => !seen.has(row.uid))
  }, [selected, rows])
  const everyOne = rows.length > 0 && rows.every((row) => chosen.has(row.uid))

  const toggle = (index: number, range: boolean) => {
    const anchor = range ? rows.findIndex((row) => row.uid === last) : -1
    const [from, to] = anchor < 0 ? [index, index] : [Math.min(anchor, index), Math.max(anchor, index)]
    const on = !chosen.has(rows[index]?.uid ?? '')
    const next = new Set(chosen)
    for (const row of rows.slice(from, to + 1)) {
      if (on) next.add(row.uid)
      else next.delete(row.uid)
    }
    setChosen(next)
    setLast(rows[index]?.uid ?? null)
  }
  const toggleAll = () => setChosen(everyOne ? new Set() : new Set(rows.map((row) => row.uid)))
  const columns = inventoryColumns({
    shown,
    tasks,
    sorting,
    onSort: setSorting,
    everyOne,
    onToggleAll: toggleAll,
    has: (row) => chosen.has(row.uid),
    onToggle: (row, range) => toggle(rows.indexOf(row), range),
  })
  const toggleColumn = (column: OptionalColumn) => {
    // An order without its heading could not be seen.
    if (sorting.by === column) setSorting(newestFirst)
    toggleShown(column)
  }

  return (
    <main class="page" hidden={props.hidden} aria-busy={inventory.syncing}>
      <h1 class="hidden" tabIndex={-1}>
        {text('inventory.title')}
      </h1>
      {inventory.trouble?.code === 'permission' && props.overview.session && (
        <NoAccess server={props.overview.session.server} onAllowed={inventory.refresh} />
      )}
      {inventory.trouble && inventory.trouble.code !== 'permission' && (
        <Notice
          tone={inventory.trouble.code === 'offline' ? 'plain' : 'warn'}
          action={{ label: text('home.retry'), act: inventory.refresh }}
        >
          {text(inventory.trouble.code === 'offline' ? 'inventory.offline' : 'inventory.failed', { n: all.length })}
        </Notice>
      )}
      {!inventory.trouble && inventory.slow && all.length > 0 && (
        <Notice tone="plain">{text('inventory.slow', { n: all.length })}</Notice>
      )}
      <search class="filter">
        <Sentence
          name="filter.sentence"
          gaps={{
            state: (
              <Choice
                label={text('inventory.state')}
                value={filter.state}
                options={[
                  ['any', text('filter.any')],
                  ...states.map((state) => [state, text(`filter.${state}`)] as const),
                ]}
                onChange={(state) => setFilter({ ...filter, state })}
              />
            ),
            on: (
              <Choice
                label={text('filter.on_label')}
                value={filter.on}
                options={[
                  ['any', text('filter.anywhere')],
                  ...platformOptions(platforms, 'filter.on'),
                  ['nowhere', text('filter.nowhere')],
                ]}
                onChange={(on) => setFilter({ ...filter, on })}
              />
            ),
            off: (
              <Choice
                label={text('filter.off_label')}
                value={filter.off}
                options={[['none', text('filter.no_exception')], ...platformOptions(platforms, 'filter.off')]}
                onChange={(off) => setFilter({ ...filter, off })}
              />
            ),
            words: (
              <input
                type="search"
                aria-label={text('filter.words')}
                placeholder={text('filter.words')}
                value={filter.query}
                onInput={(event) => setFilter({ ...filter, query: event.currentTarget.value })}
              />
            ),
          }}
        />
        <p class="soft count" role="status">
          {inventory.rows !== null && (inventory.complete || all.length > 0)
            ? text(inventory.syncing && !inventory.complete ? 'inventory.reading' : 'inventory.count', {
                n: rows.length,
                total: all.length,
              })
            : text(inventory.trouble ? 'search.unread' : inventory.slow ? 'loading.slow' : 'search.reading')}
        </p>
        <div class="filter-actions">
          <SaveFilterMenu filter={filter} onSave={(name) => filters.save({ name, filter })} />
          <ColumnsMenu shown={shown} onToggle={toggleColumn} />
          <a class="button" href="#files">
            {text('files.link')}
          </a>
          <a class="button main" href="#new">
            {text('form.add')}
          </a>
        </div>
      </search>
      <SavedFilters saved={filters.saved} filter={filter} onApply={setFilter} onRemove={filters.remove} />
      {all.length === 0 && inventory.complete ? (
        <div class="center">
          <h2>{text('inventory.empty')}</h2>
          <p class="soft">{text('inventory.empty_text')}</p>
          <p>
            <a class="button main" href="#home">
              {text(
                overview.platforms.some(({ health }) => isConnected(health))
                  ? 'inventory.empty_import'
                  : 'inventory.empty_connect',
              )}
            </a>{' '}
            <a class="button" href="#files">
              {text('files.choose')}
            </a>
          </p>
        </div>
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
          label={text('inventory.title')}
          count={rows.length}
          order={JSON.stringify([filter, sorting])}
          columns={columns}
          rowAt={(index) => rows[index] ?? null}
          onOpen={(row) => {
            location.hash = `item/${row.uid}`
          }}
          selection={{ has: (row) => chosen.has(row.uid), toggle }}
        />
      )}
      {selected.length > 0 && (
        <SelectionBar
          rows={selected}
          unseen={unseen}
          platforms={overview.platforms}
          server={overview.session?.server ?? ''}
          onClear={() => setChosen(new Set())}
          onChanged={inventory.refresh}
        />
      )}
    </main>
  )
}

function tasksByItem(tasks: readonly ExtensionTask[]): Map<string, ExtensionTask[]> {
  const byItem = new Map<string, ExtensionTask[]>()
  for (const task of tasks) {
    byItem.set(task.inventory_item_uid, [...(byItem.get(task.inventory_item_uid) ?? []), task])
  }
  return byItem
}
