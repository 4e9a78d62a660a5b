import { accountRoom } from '../account/room.ts'
import { checksRoom } from '../checks/room.ts'
import { defaultsRoom } from '../defaults/room.ts'
import { draftsRoom } from '../drafts/room.ts'
import { filesRoom } from '../files/room.tsx'
import { changesRoom, homeRoom } from '../home/room.tsx'
import { itemRoom } from '../item/room.tsx'
import { differencesRoom, reviewRoom } from '../review/room.tsx'
import { saleMailRoom } from '../sale-mail/room.tsx'
import { salesRoom } from '../sales/room.tsx'
import { shelfRoom } from '../shelf/room.ts'
import { shippingRoom } from '../shipping/room.tsx'
import { shopsRoom } from '../shops/room.ts'
import { tableRoom } from '../table/room.ts'
import { takeDownsRoom } from '../take-downs/room.ts'
import type { Room } from './room.tsx'

/** Every room of the app, in the order of the navigation, the palette and the parts of the first screen. */
export const rooms: readonly Room[] = [
  homeRoom,
  tableRoom,
  saleMailRoom,
  shelfRoom,
  reviewRoom,
  shippingRoom,
  salesRoom,
  shopsRoom,
  accountRoom,
  defaultsRoom,
  changesRoom,
  differencesRoom,
  checksRoom,
  filesRoom,
  itemRoom,
  draftsRoom,
  takeDownsRoom,
]

/** The screens of all rooms. */
export const screens = rooms.flatMap((room) => room.screens ?? [])
