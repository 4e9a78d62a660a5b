import { lazyScreen, type Room } from '../shell/room.tsx'
import { text } from './room-words.ts'
import { ShipRow } from './ship-row.tsx'
import { ToShipLink } from './to-ship-link.tsx'

const prints = ['pick', 'slips'] as const

export const shippingRoom: Room = {
  screens: [
    lazyScreen({
      name: 'to-ship',
      under: 'sales',
      palette: text('palette.ship'),
      synonyms: text('palette.ship.synonyms'),
      // `print`: the pick list, or the packing slips of some or all orders.
      read: (one, two) => ({
        print: prints.find((print) => print === one) ?? null,
        orders: two?.split(',').filter(Boolean) ?? [],
      }),
      parent: () => '#to-ship',
      load: () => import('./to-ship-page.tsx').then(({ ToShipPage }) => ToShipPage),
      given: (place, { refresh }) => ({ ...place, onChanged: refresh }),
    }),
  ],
  HomeAside: ({ overview }) => <ShipRow shipments={overview.shipments} />,
  ItemAct: ({ row, overview }) =>
    row.state === 'sold' && overview.shipments.to_ship > 0 ? <ToShipLink uid={row.uid} /> : null,
  hasContent: ({ shipments }) => shipments.to_ship > 0,
}
