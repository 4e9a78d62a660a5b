import { decrypt, type EncryptionKey, encrypt, encryptionKey, type SecretKeys } from '#server/infra/crypto/encrypt.ts'
import type { EncryptedColumn } from '#server/infra/crypto/re-encrypt.ts'
import type { TokenGrant } from '#server/integrations/port.ts'

interface Owner {
  user_id: number
  seller_account_uid: string
}

/** Returns the key that encrypts marketplace tokens. */
export const tokenKey = (config: SecretKeys): EncryptionKey => encryptionKey(config, 'marketplace-token')

const place = (owner: Owner, kind: 'access' | 'refresh') =>
  `seller_account/${owner.user_id}/${owner.seller_account_uid}/${kind}`

const tokenColumn = (kind: 'access' | 'refresh'): EncryptedColumn => ({
  table: 'seller_account',
  column: `encrypted_${kind}_token`,
  key: ['user_id', 'uid'],
  purpose: 'marketplace-token',
  placeOf: ({ user_id, uid }) => place({ user_id: Number(user_id), seller_account_uid: String(uid) }, kind),
})
export const encryptedTokens = [tokenColumn('access'), tokenColumn('refresh')]

/**
 * Returns a grant as columns of seller_account. The refresh token is null if the platform sent none; the old one stays
 * valid then.
 */
export function encryptGrant(grant: TokenGrant, owner: Owner, key: EncryptionKey) {
  return {
    encrypted_access_token: encrypt(grant.access_token, place(owner, 'access'), key),
    encrypted_refresh_token: grant.refresh_token ? encrypt(grant.refresh_token, place(owner, 'refresh'), key) : null,
    access_seconds: grant.expires_in_seconds,
    refresh_seconds: grant.refresh_expires_in_seconds,
  }
}

/** Decrypts a token. Throws DecryptionError if it was moved, altered or encrypted with another SECRET_KEY. */
export function decryptToken(encrypted: Buffer, owner: Owner, kind: 'access' | 'refresh', key: EncryptionKey): string {
  return decrypt(encrypted, place(owner, kind), key)
}
