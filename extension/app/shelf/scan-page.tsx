import { useEffect, useRef, useState } from 'preact/hooks'
import { errorText } from '#extension/messaging/error-text.ts'
import type { InventoryRow } from '#extension/storage/inventory-cache/row.ts'
import { handleSubmit } from '../common/handle-submit.ts'
import { Lazy } from '../components/lazy.tsx'
import { Loading } from '../components/loading.tsx'
import { Notice } from '../components/notice.tsx'
import { Thumb } from '../components/thumb.tsx'
import { offerUndo } from '../components/undo-toast.tsx'
import { useHost } from '../host.ts'
import { CellRefusedError, saveCell } from '../table/save-cell.ts'
import { loadLabelsDialog } from '../table/selection-bar.tsx'
import { productField, readScan, scanHash } from './read-scan.ts'
import { useScans } from './use-scans.ts'
import { text } from './words.ts'
import './shelf.css'

/** An item that was moved here, or what went wrong. */
interface Moved {
  row: InventoryRow
  to: string
  state: 'moving' | 'moved' | 'same' | 'failed'
  problem?: string
}

/**
 * Scans with the camera, a scanner that types, or by hand. An item opens; after a place, items move there. `place`: where
 * they move. `code`: one that was scanned on another screen.
 */
export function ScanPage(props: {
  place: string | null
  code: string | null
  /** Null until the whole inventory is read: before, nobody can say that no item has a code. */
  rows: readonly InventoryRow[] | null
  /** The inventory cannot be read. */
  trouble: boolean
  onChanged: () => void
}) {
  const { place, rows } = props
  const { camera } = useHost()
  const [watching, setWatching] = useState(false)
  const [typed, setTyped] = useState('')
  const [moved, setMoved] = useState<readonly Moved[]>([])
  /** A code that is no single item's. */
  const [open, setOpen] = useState<{ code: string; items: InventoryRow[] } | null>(null)
  const [labels, setLabels] = useState(false)
  const underWay = useRef(new Set<string>())
  /** Where this screen moved each item last. */
  const movedTo = useRef(new Map<string, string>())
  const move = async (row: InventoryRow, to: string) => {
    const set = (state: Moved['state'], problem?: string) =>
      setMoved((before) => [
        { row, to, state, ...(problem ? { problem } : {}) },
        ...before.filter((one) => one.row.uid !== row.uid),
      ])
    setOpen(null)
    // A camera reads a label many times a second, also after its item has moved.
    if (underWay.current.has(row.uid)) return
    const isAgain = movedTo.current.get(row.uid) === to
    if (row.location === to) return isAgain ? undefined : set('same')
    underWay.current.add(row.uid)
    if (!isAgain) set('moving')
    try {
      const change = await saveCell(row, { edit: { act: 'set', field: 'storage_location', value: to } })
      // Null: it was there already, which these rows do not say yet. The move before keeps its undo.
      if (change || !isAgain) set(change ? 'moved' : 'same')
      if (change) {
        movedTo.current.set(row.uid, to)
        offerUndo(text('scan.moved', { place: to }), change)
      }
      props.onChanged()
    } catch (error) {
      set('failed', error instanceof CellRefusedError ? error.message : errorText(error))
    } finally {
      underWay.current.delete(row.uid)
    }
  }
  const take = (code: string, isAddress = false): boolean => {
    const scan = readScan(code, rows ?? [])
    const [item, another] = scan.items ?? []
    setTyped('')
    if (item && !another && place) void move(item, place)
    else if (item && !another) {
      // Back must not lead to an address that leads here again.
      if (isAddress) location.replace(`#${scanHash(scan, code)}`)
      else location.hash = scanHash(scan, code)
    } else if (scan.items) setOpen({ code, items: scan.items })
    else {
      setOpen(null)
      setMoved([])
      location.replace(`#${scanHash(scan, code)}`)
    }
    return true
  }
  useScans(labels || rows === null ? null : (code) => take(code))
  const isReady = rows !== null
  useEffect(() => {
    if (isReady && props.code) take(props.code, true)
  }, [isReady, props.code])
  if (rows === null) {
    return (
      <main class="page item cards scan" aria-busy={!props.trouble}>
        {props.trouble ? <Notice tone="plain">{text('search.unread')}</Notice> : <Loading />}
      </main>
    )
  }
  return (
    <main class="page item cards scan">
      <div class="part">
        <h1 tabIndex={-1}>{text('palette.scan')}</h1>
        <p class="soft">{text(place ? 'scan.text_place' : 'scan.text')}</p>
      </div>
      {place && (
        <section class="part place" aria-label={text('scan.place')}>
          <p class="grow" role="status">
            {text('scan.to')} <strong>{place}</strong>
          </p>
          <a class="button" href="#scan">
            {text('scan.stop')}
          </a>
        </section>
      )}
      <section class="part" aria-label={text('palette.scan')}>
        {camera && watching && <Lazy within="div" load={camera} given={{ onCode: (code: string) => take(code) }} />}
        <form
          class="scan-form"
          onSubmit={handleSubmit(() => {
            if (typed.trim() !== '') take(typed.trim())
          })}
        >
          <label class="grow">
            {text('scan.code')}
            <input autocomplete="off" value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
          </label>
          <button type="submit" class={camera ? undefined : 'main'}>
            {text(place ? 'scan.move' : 'open')}
          </button>
          {camera && (
            <button type="button" class={watching ? undefined : 'main'} onClick={() => setWatching(!watching)}>
              {text(watching ? 'scan.camera_off' : 'scan.camera_on')}
            </button>
          )}
        </form>
      </section>
      {open && <Unclear {...open} place={place} onMove={move} />}
      {moved.length > 0 && (
        <section class="part" aria-labelledby="moved">
          <h2 id="moved">{text('scan.moved_title')}</h2>
          <ul class="rows">
            {moved.map(({ row, to, state, problem }) => (
              <li key={row.uid}>
                <Thumb src={row.image} />
                <div class="grow">
                  <p class="cut">
                    <a href={`#item/${row.uid}`}>{row.title}</a>
                  </p>
                  {problem ? (
                    <p class="bad" role="alert">
                      {problem}
                    </p>
                  ) : (
                    <p class="soft" role="status">
                      {text(`scan.${state as 'moving' | 'moved' | 'same'}`, { place: to })}
                    </p>
                  )}
                </div>
              </li>
            ))}
          </ul>
        </section>
      )}
      <p class="part links">
        <button type="button" class="quiet" aria-haspopup="dialog" onClick={() => setLabels(true)}>
          {text('labels.places_open')}
        </button>
        <a class="button quiet" href="#shelf">
          {text('palette.shelf')}
        </a>
      </p>
      {labels && (
        <Lazy
          within="div"
          load={loadLabelsDialog}
          given={{
            places: [...new Set(rows.flatMap((row) => row.location ?? []))].sort(byName),
            onClose: () => setLabels(false),
          }}
        />
      )}
    </main>
  )
}

const byName = new Intl.Collator(undefined, { numeric: true }).compare

/** A code that several items have, or none. */
function Unclear(props: {
  code: string
  items: InventoryRow[]
  place: string | null
  onMove: (row: InventoryRow, to: string) => Promise<void>
}) {
  const { code, items, place, onMove } = props
  if (items.length === 0) {
    return (
      <Notice
        tone="warn"
        {...(productField(code)
          ? { action: { label: text('scan.add'), act: () => location.assign(`#new//${code}`) } }
          : {})}
      >
        {text('scan.unknown', { code })}
      </Notice>
    )
  }
  return (
    <section class="part" aria-labelledby="several">
      <h2 id="several" role="status">
        {text('scan.several', { n: items.length })}
      </h2>
      <ul class="rows">
        {items.map((row) => (
          <li key={row.uid}>
            <Thumb src={row.image} />
            <div class="grow">
              <p class="cut">{row.title}</p>
              <p class="soft">{[row.sku, row.location].filter(Boolean).join(' · ')}</p>
            </div>
            {place ? (
              <button
                type="button"
                aria-label={`${text('scan.move')}, ${row.title}`}
                onClick={() => void onMove(row, place)}
              >
                {text('scan.move')}
              </button>
            ) : (
              <a class="button" aria-label={`${text('open')}, ${row.title}`} href={`#item/${row.uid}`}>
                {text('open')}
              </a>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
