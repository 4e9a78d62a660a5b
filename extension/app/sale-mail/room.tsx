import { appPlaces } from '#shared/app-places.ts'
import { lazyScreen, type Room } from '../shell/room.tsx'
import { text } from './room-words.ts'
import { SaleMailLink, SilentMailRows } from './sale-mail-rows.tsx'

export const saleMailRoom: Room = {
  screens: [
    lazyScreen({
      name: 'sale-mail',
      under: 'shops',
      palette: text('palette.mail'),
      synonyms: text('palette.mail.synonyms'),
      load: () => import('./sale-mail-page.tsx').then(({ SaleMailPage }) => SaleMailPage),
      given: (_, { overview, inventory, onChanged, parts }) => ({
        overview,
        setup: parts['sale-mail'],
        rows: inventory.rows ?? [],
        onChanged,
      }),
    }),
  ],
  HomeRows: SilentMailRows,
  ShopsPart: ({ overview }) => (
    <>
      <SilentMailRows overview={overview} />
      <SaleMailLink overview={overview} />
    </>
  ),
  accountLink: { hash: appPlaces['sale-mail'], words: text('palette.mail') },
  loadFindSold: () => import('./sale-question.tsx').then(({ FindSoldDialog }) => FindSoldDialog),
}
