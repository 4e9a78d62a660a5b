import type { ComponentChildren } from 'preact'
import type { Shipment } from '#shared/contract/selling/shipments.ts'
import { platformOf } from '#shared/platforms.ts'
import { useWebAddress } from '../common/picture-address.ts'
import { Thumb } from '../components/thumb.tsx'
import { ConnectLink } from '../shops/connect-link.tsx'
import { isLate, nameOf, orderText, shipByText, stateText, titleOf, trackingText } from './shipment-text.ts'
import { text } from './words.ts'

/** An order with what belongs into its parcel. `children`: its buttons or its form. */
export function ShipmentRow(props: {
  shipment: Shipment
  /** Null among rows that can be selected, for one that cannot. */
  select?: { isSelected: boolean; onSelect: (isSelected: boolean) => void } | null
  children: ComponentChildren
}) {
  const { shipment, select } = props
  const { items, buyer_note, problem, told_by, state } = shipment
  const addressOf = useWebAddress()
  const href = addressOf(shipment.order_url)
  return (
    <li class={select === null ? 'parcel marked' : 'parcel'}>
      {select && (
        <input
          type="checkbox"
          aria-label={text('ship.select', { title: nameOf(shipment) })}
          checked={select.isSelected}
          onChange={(event) => select.onSelect(event.currentTarget.checked)}
        />
      )}
      <Thumb src={items[0]?.image ?? null} size={56} />
      <div class="grow">
        {items.map((item) => (
          <div key={`${item.listing_id} ${item.inventory_item_uid}`}>
            <p class="cut">
              {item.inventory_item_uid && item.title ? (
                <a class="plain" href={`#item/${item.inventory_item_uid}`}>
                  <strong>{titleText(item)}</strong>
                </a>
              ) : (
                titleText(item)
              )}
            </p>
            {(item.storage_location || item.sku) && (
              <p class="soft">
                {item.storage_location && <strong class="place">{item.storage_location}</strong>}
                {item.storage_location && item.sku && ' · '}
                {item.sku && text('ship.sku', { sku: item.sku })}
              </p>
            )}
          </div>
        ))}
        <p>
          {state === 'to_ship' && <span class={isLate(shipment) ? 'bad' : undefined}>{shipByText(shipment)} · </span>}
          {href ? (
            <a href={href} target="_blank" rel="noreferrer">
              {orderText(shipment)}
            </a>
          ) : (
            orderText(shipment)
          )}
        </p>
        {told_by === 'mail' && <p class="soft">{text('ship.mail')}</p>}
        {buyer_note && <p class="clamp">{text('ship.note', { note: buyer_note })}</p>}
        {state === 'to_ship' && problem && <p class="bad">{problem.message}</p>}
        {state !== 'to_ship' && (
          <p role="status">{[stateText(shipment), trackingText(shipment)].filter(Boolean).join(' ')}</p>
        )}
      </div>
      {props.children}
    </li>
  )
}

const titleText = (item: Shipment['items'][number]) =>
  item.quantity > 1 ? text('ship.times', { n: item.quantity, title: titleOf(item) }) : titleOf(item)

/** The buttons of an order: shipped, undo, or the shop to connect again first. */
export function ShipmentActs(props: { shipment: Shipment; busy: boolean; onOpen: () => void; onUndo: () => void }) {
  const { shipment } = props
  const { platform, state, can_undo, needs_reconnect } = shipment
  if (state === 'to_ship' && needs_reconnect && (platform === 'ebay' || platform === 'etsy')) {
    return <ConnectLink platform={platform} name={platformOf(platform).name} words={text('ship.reconnect')} />
  }
  if (state === 'to_ship') {
    const label = text('ship.open_of', { title: nameOf(shipment) })
    return (
      <button type="button" class="ship" aria-label={label} onClick={props.onOpen}>
        {text('ship.open')}
      </button>
    )
  }
  if (!can_undo) return null
  return (
    <button
      type="button"
      class="quiet"
      aria-label={text('ship.undo_of', { title: nameOf(shipment) })}
      aria-disabled={props.busy}
      onClick={() => !props.busy && props.onUndo()}
    >
      {text('undo')}
    </button>
  )
}
