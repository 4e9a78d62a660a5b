import { useEffect, useId, useMemo, useState } from 'preact/hooks'
import type { InventoryRow } from '#extension/storage/inventory-cache/row.ts'
import { moneyText } from '../common/format.ts'
import { Dialog } from '../components/dialog.tsx'
import { Thumb } from '../components/thumb.tsx'
import { findCommands } from './commands.ts'
import type { Place } from './place.ts'
import { text } from './words.ts'

/** Finds items, actions and pages by a few letters. Arrows move, Enter goes there, Escape closes. */
export function CommandPalette(props: { rows: readonly InventoryRow[]; place: Place; onClose: () => void }) {
  const [query, setQuery] = useState('')
  const [at, setAt] = useState(0)
  const list = useId()
  const found = useMemo(() => findCommands(props.rows, props.place, query), [props.rows, props.place, query])
  const active = Math.max(0, Math.min(at, found.length - 1))
  useEffect(() => document.getElementById(`${list}-${active}`)?.scrollIntoView?.({ block: 'nearest' }), [active, query])
  const go = (hash: string) => {
    props.onClose()
    location.hash = hash
  }
  const keys = (event: KeyboardEvent) => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (move === undefined && event.key !== 'Enter') return
    event.preventDefault()
    const chosen = found[active]
    if (move !== undefined) setAt(Math.max(0, Math.min(active + move, found.length - 1)))
    else if (chosen) go(chosen.hash)
  }
  return (
    <Dialog title={text('palette.title')} onClose={props.onClose}>
      <input
        type="search"
        role="combobox"
        autoFocus
        autocomplete="off"
        aria-label={text('palette.title')}
        aria-expanded={found.length > 0}
        aria-controls={list}
        aria-activedescendant={found.length > 0 ? `${list}-${active}` : undefined}
        placeholder={text('palette.placeholder')}
        value={query}
        onInput={(event) => {
          setQuery(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={keys}
      />
      <div class="palette" role="listbox" id={list} aria-label={text('palette.results')}>
        {found.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
          // biome-ignore lint/a11y/useFocusableInteractive: the field above has the focus (aria-activedescendant)
          <div
            key={`${command.kind} ${command.id}`}
            id={`${list}-${index}`}
            role="option"
            class={index === active ? 'command active' : 'command'}
            aria-selected={index === active}
            onMouseMove={() => setAt(index)}
            onClick={() => go(command.hash)}
          >
            {command.row && <Thumb src={command.row.image} />}
            <span class="grow cut">{command.words}</span>
            <span class="soft">
              {command.row
                ? moneyText(command.row.price_minor, command.row.currency)
                : text(`palette.kind.${command.kind}`)}
            </span>
          </div>
        ))}
      </div>
      {found.length === 0 && <p role="status">{text('palette.none')}</p>}
    </Dialog>
  )
}
