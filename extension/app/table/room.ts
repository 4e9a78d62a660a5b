import { Table2 } from 'lucide-preact'
import { type Room, screen } from '../shell/room.tsx'
import { text } from './words.ts'

export const tableRoom: Room = {
  screens: [
    screen({
      name: 'inventory',
      tab: { words: text('palette.inventory'), Icon: Table2 },
      palette: text('palette.inventory'),
      synonyms: text('palette.inventory.synonyms'),
      // The app keeps it mounted behind the other screens.
      show: () => null,
    }),
  ],
}
