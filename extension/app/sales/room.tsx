import { ChartNoAxesColumn } from 'lucide-preact'
import { lazyScreen, type Room } from '../shell/room.tsx'
import { RecentSales } from './recent-sales.tsx'
import { text } from './room-words.ts'

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
  HomeAside: ({ overview }) => <RecentSales asOf={overview.as_of} alerts={overview.alerts} />,
}
