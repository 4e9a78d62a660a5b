import { Search as Glass, X } from 'lucide-preact'
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { InventoryRow } from '#extension/storage/inventory-cache/row.ts'
import { searchRows } from '#extension/storage/inventory-cache/search-rows.ts'
import { moneyText } from '../common/format.ts'
import { IconButton } from '../components/icon-button.tsx'
import { Notice } from '../components/notice.tsx'
import { chipsOf, PlatformChips } from '../components/platform-chips.tsx'
import { Thumb } from '../components/thumb.tsx'
import { useInventory } from '../hooks/use-inventory.ts'
import { host } from '../host.ts'
import { text } from './words.ts'

/** Maximum number of results. The inventory page shows all. */
const maxShown = 30

/**
 * Searches the inventory cache, online or offline. "/" opens it, arrows move, Enter opens a result, Escape closes it.
 * It covers the screen while open (`onOpen`); the Tab key alone does not open it.
 */
export function Search(props: { open: boolean; onOpen: (open: boolean) => void }) {
  const { open, onOpen } = props
  const inventory = useInventory()
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const input = useRef<HTMLInputElement>(null)
  const list = useId()
  const found = useMemo(
    () => (inventory.rows && open ? searchRows(inventory.rows, query) : []),
    [inventory.rows, open, query],
  )
  const shown = found.slice(0, maxShown)
  const active = Math.min(at, shown.length - 1)

  useSlash(() => {
    input.current?.focus()
    onOpen(true)
  })
  useEffect(() => {
    document.getElementById(`${list}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [active, list])

  const close = () => {
    setQuery('')
    setAt(0)
    onOpen(false)
    input.current?.focus()
  }
  const keys = (event: KeyboardEvent) => {
    const move = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key]
    if (move !== undefined) {
      event.preventDefault()
      onOpen(true)
      setAt(Math.max(0, Math.min(active + move, shown.length - 1)))
    }
    const row = shown[active]
    if (event.key === 'Enter' && row) openItem(row)
    if (event.key === 'Escape' && open) {
      // An unhandled Escape closes the popup.
      event.preventDefault()
      event.stopPropagation()
      close()
    }
  }

  const read = inventory.rows?.length ?? 0
  // No number before all are read: it would be another one than elsewhere, and "No items match" too early.
  const total = inventory.complete ? read : 0
  const reading = text(inventory.trouble ? 'search.unread' : 'search.reading')
  const label = total === 0 ? reading : text('search.label', { n: total })
  if (!open && (inventory.rows === null || (total === 0 && inventory.complete))) return null
  return (
    <search class={open ? 'search open' : 'search'}>
      <div class="field">
        <Glass size={16} aria-hidden="true" />
        <input
          ref={input}
          type="text"
          role="combobox"
          aria-label={label}
          aria-expanded={open}
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={open && shown.length > 0 ? `${list}-${active}` : undefined}
          placeholder={label}
          value={query}
          autocomplete="off"
          spellcheck={false}
          onClick={() => onOpen(true)}
          onInput={(event) => {
            onOpen(true)
            setQuery(event.currentTarget.value)
            setAt(0)
          }}
          onKeyDown={keys}
        />
        {open ? (
          <IconButton icon={X} label={text('search.close')} onClick={close} />
        ) : (
          <span class="key" aria-hidden="true">
            /
          </span>
        )}
      </div>
      {open && (
        <>
          {inventory.trouble && read > 0 && <Notice tone="plain">{text('search.offline', { n: read })}</Notice>}
          <p class="hidden" role="status">
            {query === '' ? '' : text('search.found', { n: found.length })}
          </p>
          <div class="results" id={list} role="listbox" tabIndex={-1} aria-label={text('search.results')}>
            {shown.map((row, index) => (
              <Result key={row.uid} row={row} id={`${list}-${index}`} active={index === active} />
            ))}
          </div>
          {shown.length === 0 && <p class="part soft">{total > 0 && query ? text('inventory.none') : reading}</p>}
          {found.length > shown.length && (
            <p class="part soft">{text('search.more', { n: found.length - shown.length })}</p>
          )}
        </>
      )}
    </search>
  )
}

function Result({ row, id, active }: { row: InventoryRow; id: string; active: boolean }) {
  return (
    // The keys are taken by the field, which keeps the focus (the combobox pattern).
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    // biome-ignore lint/a11y/useFocusableInteractive: see above
    <div id={id} role="option" aria-selected={active} onClick={() => openItem(row)}>
      <Thumb src={row.image} />
      <span class="grow">
        <span class="cut">{row.title}</span>
        <span class="cut soft">
          {[row.state === 'available' ? null : text(`state.${row.state}`), row.sku].filter(Boolean).join(', ') || ' '}
        </span>
      </span>
      <span class="end">
        <span>{moneyText(row.price_minor, row.currency)}</span>
        <PlatformChips chips={chipsOf(row)} />
      </span>
    </div>
  )
}

/** Opens the item's page in a tab. */
function openItem(row: InventoryRow): void {
  host().openTab(host().pageAt(`#item/${row.uid}`))
}

/** Handles "/" outside fields. A layout effect, so that an early key is not lost. */
function useSlash(act: () => void): void {
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement
      if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  })
}
