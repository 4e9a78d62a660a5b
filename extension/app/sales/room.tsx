import { ChartNoAxesColumn } from 'lucide-preact'
import { Lazy } from '../components/lazy.tsx'
import { lazyScreen, type Room } from '../shell/room.tsx'
import { RecentSales } from './recent-sales.tsx'
import { text } from './room-words.ts'

const loadSale = () => import('./sale-of-item.tsx').then(({ SaleOfItem }) => SaleOfItem)

export const salesRoom: Room = {
  screens: [
    lazyScreen({
      name: 'sales',
      tab: { words: text('palette.sales'), Icon: ChartNoAxesColumn },
      palette: text('palette.sales'),
      synonyms: text('palette.sales.synonyms'),
      load: () => import('./sales-page.tsx').then(({ SalesPage }) => SalesPage),
      given: () => ({}),
    }),
  ],
  ItemPart: ({ row }) =>
    row.state === 'sold' ? <Lazy key={row.uid} within="div" load={loadSale} given={{ uid: row.uid }} /> : null,
  HomeAside: ({ overview }) => <RecentSales asOf={overview.as_of} alerts={overview.alerts} />,
}
