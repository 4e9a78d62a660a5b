import { transaction } from '#server/infra/db/transaction.ts'
import type { Services } from '#server/services.ts'
import { runHooks } from '../hooks.ts'

/** Has the platform refuse a shop's access, or accept it again. */
export async function setShopStatus(
  services: Services,
  uid: string,
  status: 'connected' | 'reconnect_required',
): Promise<void> {
  const shop = await services.db.one(
    'update seller_account set status = $2 where uid = $1 returning user_id, uid as seller_account_uid, platform',
    [uid, status],
  )
  const hook = status === 'connected' ? 'resumed' : 'lost'
  await transaction(services.db, 'set-shop-status', (tx) => runHooks(hook, services, tx, shop))
}
