import { type RequestCredential, reauthorize } from '#server/http/credentials/reauthorize.ts'
import { lockUser } from '#server/http/lock-user.ts'
import { violatedUnique } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { problem } from '#server/infra/errors.ts'
import type { ShopIdentity, TokenGrant } from '#server/integrations/port.ts'
import type { Services } from '#server/services.ts'
import { emitEvents } from '#server/webhooks/emit.ts'
import { newId } from '#shared/identity.ts'
import type { OAuthSlug } from '#shared/platforms.ts'
import { runHooks } from './hooks.ts'
import * as sql from './queries.ts'
import { encryptGrant, tokenKey } from './token-encryption.ts'

/**
 * Stores a connected shop as a new seller account, or replaces the tokens of the existing one and resumes its waiting
 * work. Throws 409 `shop_in_use` if another account has the shop. Throws 401 if this account was closed or `credential`
 * ended meanwhile.
 */
export async function storeConnection(
  services: Services,
  connection: {
    user_id: number
    platform: OAuthSlug
    shop: ShopIdentity
    grant: TokenGrant
    credential?: RequestCredential
  },
): Promise<{ seller_account_uid: string }> {
  const { user_id, platform, shop, credential } = connection
  try {
    return await transaction(services.db, 'store-connection', async (tx) => {
      const user = await (credential ? reauthorize(tx, credential) : lockUser(tx, user_id))
      if (!user) throw problem('unauthenticated')
      const own = await tx.oneOrNone(sql.findOwnShop({ user_id, platform, external_id: shop.external_id }))
      const uid = own?.uid ?? newId('sel')
      const encrypted = encryptGrant(connection.grant, { user_id, seller_account_uid: uid }, tokenKey(services.config))
      await tx.none(
        sql.upsertConnection({ user_id, uid, platform, currency: null, on_vacation: false, ...shop, ...encrypted }),
      )
      const stored = { user_id, seller_account_uid: uid, platform }
      await runHooks('connected', services, tx, { ...stored, external_id: shop.external_id })
      if (own) await runHooks('resumed', services, tx, stored)
      else {
        const data = { seller_account_uid: uid, platform }
        await emitEvents(tx, user_id, [{ type: 'connection.connected', data }])
      }
      return { seller_account_uid: uid }
    })
  } catch (error) {
    if (violatedUnique(error) !== 'seller_account_verified_shop_key') throw error
    throw problem('shop_in_use', 'Another Hapax account holds this shop.', { cause: error })
  }
}
