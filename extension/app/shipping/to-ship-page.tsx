import { useEffect, useRef, useState } from 'preact/hooks'
import type { Shipment, Tracking } from '#shared/contract/selling/shipments.ts'
import { Loading } from '../components/loading.tsx'
import { Notice } from '../components/notice.tsx'
import { Failure } from '../components/pending.tsx'
import { useAction } from '../hooks/use-request.ts'
import { PackingSlips, PickList } from './print-shipments.tsx'
import { ShipmentActs, ShipmentRow } from './shipment-row.tsx'
import { TrackingForm } from './tracking-form.tsx'
import { useShipments } from './use-shipments.ts'
import { text } from './words.ts'
import './to-ship.css'

/** Orders that are not sent yet, the most urgent first, with their sheets to print, and those that were. */
export function ToShipPage(props: { print: 'pick' | 'slips' | null; orders: string[]; onChanged: () => void }) {
  const shipments = useShipments(props.onChanged)
  const { open, problem, again } = shipments
  if (problem || open === null) {
    return (
      <main class="page item cards to-ship" aria-busy={!problem}>
        <h1 tabIndex={-1}>{text('palette.ship')}</h1>
        {problem ? <Failure message={problem} onRetry={again} /> : <Loading />}
      </main>
    )
  }
  if (props.print) return <Sheets {...props} print={props.print} open={open} />
  return <List {...shipments} open={open} />
}

/** The sheets on screen as they are printed, with a bar that is not printed. */
function Sheets({ print, orders, open }: { print: 'pick' | 'slips'; orders: string[]; open: Shipment[] }) {
  const chosen = open.filter(({ order_uid, state }) =>
    orders.length > 0 ? orders.includes(order_uid) : state === 'to_ship',
  )
  useEffect(() => document.querySelector<HTMLElement>('.sheet h1')?.focus(), [])
  return (
    <main class="page sheets">
      <div class="bar">
        <a class="button" href="#to-ship">
          {text('ship.back')}
        </a>
        {chosen.length > 0 && (
          <button type="button" class="main" onClick={() => print && window.print()}>
            {text('ship.print')}
          </button>
        )}
      </div>
      {chosen.length === 0 && <p>{text('ship.none')}</p>}
      {print === 'pick' && chosen.length > 0 && <PickList shipments={chosen} />}
      {print === 'slips' && <PackingSlips shipments={chosen} />}
    </main>
  )
}

function List(props: ReturnType<typeof useShipments> & { open: Shipment[] }) {
  const { open, shipped } = props
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [form, setForm] = useState<string | null>(null)
  const list = useRef<HTMLUListElement>(null)
  const undoing = useAction()
  const waiting = open.filter(({ state }) => state === 'to_ship')
  // Those that are shipped here stay in sight, so that the boxes do not go away under the pointer.
  const isChoice = open.length > 1
  const chosen = waiting.filter(({ order_uid }) => selected.has(order_uid))
  const mark = async (shipment: Shipment, tracking: Tracking) => {
    await props.mark(shipment, tracking)
    setForm(null)
    // The next parcel is one press away.
    const row = list.current?.children[open.indexOf(shipment) + 1]
    queueMicrotask(() => (row?.querySelector<HTMLElement>('button.ship') ?? list.current)?.focus())
  }
  const close = (shipment: Shipment) => {
    setForm(null)
    queueMicrotask(() => list.current?.children[open.indexOf(shipment)]?.querySelector('button')?.focus())
  }
  const acts = (shipment: Shipment) => (
    <ShipmentActs
      shipment={shipment}
      busy={undoing.busy !== null}
      onOpen={() => setForm(shipment.order_uid)}
      onUndo={() => void undoing.act(shipment.order_uid, () => props.undo(shipment))}
    />
  )
  const slips = chosen.length > 0 ? `/${chosen.map(({ order_uid }) => order_uid).join(',')}` : ''
  return (
    <main class="page item cards to-ship">
      <h1 tabIndex={-1}>{text('palette.ship')}</h1>
      {undoing.problem && <Notice tone="bad">{undoing.problem}</Notice>}
      {open.length === 0 && (
        <div class="center" role="status">
          <h2>{text('ship.none')}</h2>
          <p class="soft">{text('ship.none_text')}</p>
        </div>
      )}
      {waiting.length > 0 && (
        <div class="bar">
          {isChoice && (
            <label class="all">
              <input
                type="checkbox"
                checked={chosen.length === waiting.length}
                onChange={(event) =>
                  setSelected(new Set(event.currentTarget.checked ? waiting.map(({ order_uid }) => order_uid) : []))
                }
              />
              {text('ship.select_all')}
            </label>
          )}
          <a class="button" href="#to-ship/pick">
            {text('ship.pick')}
          </a>
          <a class="button" href={`#to-ship/slips${slips}`}>
            {chosen.length > 0 ? text('ship.slips_of', { n: chosen.length }) : text('ship.slips')}
          </a>
        </div>
      )}
      {open.length > 0 && (
        <section class="part" aria-label={text('palette.ship')}>
          <ul class="rows" ref={list} tabIndex={-1}>
            {open.map((shipment) => (
              <ShipmentRow
                key={shipment.order_uid}
                shipment={shipment}
                select={
                  !isChoice
                    ? undefined
                    : shipment.state === 'to_ship'
                      ? {
                          isSelected: selected.has(shipment.order_uid),
                          onSelect: (isSelected) =>
                            setSelected((before) => {
                              const others = [...before].filter((uid) => uid !== shipment.order_uid)
                              return new Set(isSelected ? [...others, shipment.order_uid] : others)
                            }),
                        }
                      : null
                }
              >
                {form === shipment.order_uid && shipment.state === 'to_ship' ? (
                  <TrackingForm
                    shipment={shipment}
                    onMark={(tracking) => mark(shipment, tracking)}
                    onCancel={() => close(shipment)}
                  />
                ) : (
                  acts(shipment)
                )}
              </ShipmentRow>
            ))}
          </ul>
        </section>
      )}
      {shipped.length > 0 && (
        <section class="part" aria-labelledby="shipped">
          <h2 id="shipped">{text('ship.done')}</h2>
          <ul class="rows">
            {shipped.map((shipment) => (
              <ShipmentRow key={shipment.order_uid} shipment={shipment}>
                {acts(shipment)}
              </ShipmentRow>
            ))}
          </ul>
          {props.more && (
            <button type="button" class="quiet wide" onClick={props.readMore}>
              {text('show_more')}
            </button>
          )}
        </section>
      )}
    </main>
  )
}
