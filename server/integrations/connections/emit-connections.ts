import type { ConnectionHook } from '#server/services.ts'
import { emitEvents } from '#server/webhooks/emit.ts'
import type { EventType } from '#shared/contract/events.ts'

const emit =
  (type: EventType): ConnectionHook =>
  (_services, queries, { user_id, seller_account_uid, platform }) =>
    emitEvents(queries, user_id, [{ type, data: { seller_account_uid, platform } }])

export const emitConnected = emit('connection.connected')
export const emitLost = emit('connection.lost')
export const emitDisconnected = emit('connection.disconnected')
