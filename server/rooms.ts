import { accountsRoom } from '#server/accounts/room.ts'
import { checksRoom } from '#server/catalog/checks/room.ts'
import { catalogRoom } from '#server/catalog/room.ts'
import { viewsRoom } from '#server/catalog/views/room.ts'
import { integrationsRoom } from '#server/integrations/room.ts'
import { ordersRoom } from '#server/selling/orders/room.ts'
import { sellingRoom } from '#server/selling/room.ts'
import { saleMailRoom } from '#server/selling/sale-mail/room.ts'
import { shipmentsRoom } from '#server/selling/shipments/room.ts'
import type { ConnectionHooks, Services } from '#server/services.ts'
import { eventsRoom } from '#server/webhooks/room.ts'
import type { Room } from './room.ts'

/** The rooms, in the order in which their hooks run: a connection is announced after its work has gone on. */
const all = [
  accountsRoom,
  sellingRoom,
  catalogRoom,
  integrationsRoom,
  ordersRoom,
  shipmentsRoom,
  saleMailRoom,
  checksRoom,
  viewsRoom,
  eventsRoom,
] as const

/** Every room of the server, which adds itself to the whole by what it exports. */
export const rooms: readonly Room[] = all

type Routes<Each> = Each extends { routes: (services: Services) => infer Answers } ? Answers : never
type Every<Part> = (Part extends unknown ? (part: Part) => void : never) extends (all: infer All) => void ? All : never

/** Returns the answers of all rooms. A missing answer does not compile where the contract is mounted. */
export const answersOf = (services: Services): Every<Routes<(typeof all)[number]>> =>
  Object.assign({}, ...rooms.map((room) => room.routes?.(services)))

/** Returns the hooks of all rooms, in the order of the rooms. */
export function connectionHooks(): ConnectionHooks {
  const hooks: ConnectionHooks = {
    connected: [],
    resumed: [],
    lost: [],
    disconnected: [],
    readBack: [],
    reachable: [],
    closed: [],
  }
  for (const room of rooms) {
    for (const kind of Object.keys(room.hooks ?? {}) as (keyof ConnectionHooks)[]) {
      hooks[kind].push(...((room.hooks?.[kind] ?? []) as never[]))
    }
  }
  return hooks
}
