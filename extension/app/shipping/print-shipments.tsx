import type { Shipment } from '#shared/contract/selling/shipments.ts'
import { dayText } from '../common/format.ts'
import { Thumb } from '../components/thumb.tsx'
import { orderText, pickList, shipByText, titleOf } from './shipment-text.ts'
import { text } from './words.ts'

/** The items to fetch, in the order of their places, to print. */
export function PickList({ shipments }: { shipments: readonly Shipment[] }) {
  const picks = pickList(shipments)
  return (
    <article class="sheet">
      <h1 tabIndex={-1}>{text('ship.pick_title')}</h1>
      <p>{text('ship.items', { n: picks.length })}</p>
      <table>
        <thead>
          <tr>
            <th scope="col">{text('ship.picked')}</th>
            <th scope="col">{text('field.storage_location')}</th>
            <th scope="col" colSpan={2}>
              {text('ship.item')}
            </th>
            <th scope="col">{text('ship.order_head')}</th>
            <th scope="col">{text('ship.by_head')}</th>
          </tr>
        </thead>
        <tbody>
          {picks.map(({ item, shipment }) => (
            <tr key={`${shipment.order_uid} ${item.listing_id} ${item.inventory_item_uid}`}>
              <td>
                <span class="box" />
              </td>
              <td class="place">{item.storage_location ?? text('ship.no_place')}</td>
              <td class="picture">
                <Thumb src={item.image} size={56} />
              </td>
              <td>
                {item.quantity > 1 ? text('ship.times', { n: item.quantity, title: titleOf(item) }) : titleOf(item)}
                {item.sku && <div class="fine">{text('ship.sku', { sku: item.sku })}</div>}
              </td>
              <td>{orderText(shipment)}</td>
              <td>{shipByText(shipment)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </article>
  )
}

/** A packing slip for each order, each on a page of its own. The buyer's address is not kept, so it is not on them. */
export function PackingSlips({ shipments }: { shipments: readonly Shipment[] }) {
  return (
    <>
      {shipments.map((shipment) => (
        <article key={shipment.order_uid} class="sheet">
          <h1 tabIndex={-1}>{text('ship.slip_title')}</h1>
          <p>
            {shipment.shop_name && (
              <>
                <strong>{shipment.shop_name}</strong>
                <br />
              </>
            )}
            {orderText(shipment)}
            <br />
            {text('ship.ordered', { day: dayText(shipment.ordered_at) })}
          </p>
          <table>
            <thead>
              <tr>
                <th scope="col">{text('field.quantity')}</th>
                <th scope="col">{text('ship.item')}</th>
                <th scope="col">{text('field.sku')}</th>
              </tr>
            </thead>
            <tbody>
              {shipment.items.map((item) => (
                <tr key={`${item.listing_id} ${item.inventory_item_uid}`}>
                  <td>{item.quantity}</td>
                  <td>{titleOf(item)}</td>
                  <td>{item.sku}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {shipment.buyer_note && <p>{text('ship.note', { note: shipment.buyer_note })}</p>}
          <p>{text('ship.thanks')}</p>
        </article>
      ))}
    </>
  )
}
