import { useRequest } from '../hooks/use-request.ts'
import { call } from '../host.ts'
import { shipByText } from './shipment-text.ts'

/** Leads to the orders to ship if one of the most urgent has this item, and says until when. */
export function ToShipLink({ uid }: { uid: string }) {
  const request = useRequest(uid, () => call('listShipments', { query: { page_size: '100' } }))
  if (request.state !== 'ready') return null
  const shipment = request.value.results.find(({ items }) => items.some((item) => item.inventory_item_uid === uid))
  if (!shipment) return null
  return (
    <a class="button main" href="#to-ship">
      {shipByText(shipment)}
    </a>
  )
}
