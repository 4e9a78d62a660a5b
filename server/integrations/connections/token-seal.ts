import type { SealedColumn } from '#server/infra/crypto/reseal.ts'
import { open, type SealingKey, type SecretKeys, seal, sealingKey } from '#server/infra/crypto/seal.ts'
import type { TokenGrant } from '#server/integrations/port.ts'

interface Owner {
  user_id: number
  seller_account_uid: string
}

/** Returns the key that marketplace tokens are sealed with. */
export const tokenKey = (config: SecretKeys): SealingKey => sealingKey(config, 'marketplace-token')

const place = (owner: Owner, kind: 'access' | 'refresh') =>
  `seller_account/${owner.user_id}/${owner.seller_account_uid}/${kind}`

const tokenColumn = (kind: 'access' | 'refresh'): SealedColumn => ({
  table: 'seller_account',
  column: `encrypted_${kind}_token`,
  key: ['user_id', 'uid'],
  purpose: 'marketplace-token',
  placeOf: ({ user_id, uid }) => place({ user_id: Number(user_id), seller_account_uid: String(uid) }, kind),
})
export const sealedTokens = [tokenColumn('access'), tokenColumn('refresh')]

/** A platform's grant as the columns of seller_account; null where the platform gave none (keep the one we have). */
export function sealGrant(grant: TokenGrant, owner: Owner, key: SealingKey) {
  return {
    encrypted_access_token: seal(grant.access_token, place(owner, 'access'), key),
    encrypted_refresh_token: grant.refresh_token ? seal(grant.refresh_token, place(owner, 'refresh'), key) : null,
    access_seconds: grant.expires_in_seconds,
    refresh_seconds: grant.refresh_expires_in_seconds,
  }
}

/** A sealed token in clear; throws SealError when it was moved, altered or sealed with another SECRET_KEY. */
export function openToken(sealed: Buffer, owner: Owner, kind: 'access' | 'refresh', key: SealingKey): string {
  return open(sealed, place(owner, kind), key)
}
