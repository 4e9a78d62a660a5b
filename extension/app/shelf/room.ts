import { lazyScreen, type Room } from '../shell/room.tsx'
import { scanPart } from './read-scan.ts'
import { text } from './room-words.ts'
import { ShelfRow } from './shelf-row.tsx'

export const shelfRoom: Room = {
  screens: [
    lazyScreen({
      name: 'scan',
      under: 'inventory',
      palette: text('palette.scan'),
      synonyms: text('palette.scan.synonyms'),
      keepsScans: true,
      // `place`: where scanned items move. `code`: one that was scanned on another screen.
      read: (place, code) => ({ place: place ? scanPart(place) : null, code: code ? scanPart(code) : null }),
      load: () => import('./scan-page.tsx').then(({ ScanPage }) => ScanPage),
      given: (place, { whole, inventory }) => ({
        ...place,
        rows: whole,
        trouble: inventory.trouble !== null,
        onChanged: inventory.refresh,
      }),
    }),
    lazyScreen({
      name: 'shelf',
      under: 'inventory',
      palette: text('palette.shelf'),
      synonyms: text('palette.shelf.synonyms'),
      load: () => import('./shelf-page.tsx').then(({ ShelfPage }) => ShelfPage),
      given: (_, { whole: rows, onChanged }) => ({ rows, onChanged }),
    }),
  ],
  HomeRows: ShelfRow,
}
