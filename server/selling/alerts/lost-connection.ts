import type { ConnectionHook } from '#server/services.ts'
import { newId } from '#shared/identity.ts'
import * as sql from './queries.ts'

/** Opens the alert about a shop that refuses our access, once. */
export const alertLost: ConnectionHook = async (_services, queries, { user_id, seller_account_uid }) => {
  await queries.none(sql.openLostConnection({ user_id, seller_account_uid, uid: newId('alm') }))
}

/** Ends that alert: the shop is connected again, or the seller disconnected it. */
export const endLost: ConnectionHook = async (_services, queries, { user_id, seller_account_uid }) => {
  await queries.none(sql.endLostConnection({ user_id, seller_account_uid }))
}
