import { type ConnectionHook, connectionHooks } from '#server/connections/hooks.ts'
import type { EventType } from '#shared/contract/events.ts'
import { emitEvents } from './emit.ts'

const tell =
  (type: EventType): ConnectionHook =>
  (_services, queries, { user_id, seller_account_uid, platform }) =>
    emitEvents(queries, user_id, [{ type, data: { seller_account_uid, platform } }])

/** Tells of connections that come and go, in the transactions that change them. Called again, it changes nothing. */
export function tellConnections(): void {
  connectionHooks.resumed.add(resumed)
  connectionHooks.lost.add(lost)
  connectionHooks.disconnected.add(disconnected)
}

const resumed = tell('connection.connected')
const lost = tell('connection.lost')
const disconnected = tell('connection.disconnected')
