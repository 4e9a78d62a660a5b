import type { Config } from '#server/config.ts'
import { decrypt, encrypt, encryptionKey } from '#server/infra/crypto/encrypt.ts'
import type { EncryptedColumn } from '#server/infra/crypto/re-encrypt.ts'
import type { Services } from '#server/services.ts'
import * as sql from './queries.ts'

const place = 'web_push_key'
const purpose = 'web-push-key'
const keyOf = (config: Config) => encryptionKey(config, purpose)

/** The key pair that identifies this server to push services, in base64url. */
interface VapidKeys {
  publicKey: string
  privateKey: string
}

/** Returns this server's key pair and makes it at the first call. */
export async function vapidKeys({ db, config }: Pick<Services, 'db' | 'config'>): Promise<VapidKeys> {
  const read = () => db.oneOrNone(sql.findKey())
  let kept = await read()
  if (!kept) {
    const { default: webPush } = await import('web-push')
    const made = webPush.generateVAPIDKeys()
    const encrypted_private_key = encrypt(made.privateKey, place, keyOf(config))
    await db.none(sql.insertKey({ public_key: made.publicKey, encrypted_private_key }))
    kept = await read()
  }
  if (!kept) throw new Error('the key of push notifications is missing')
  return { publicKey: kept.public_key, privateKey: decrypt(kept.encrypted_private_key, place, keyOf(config)) }
}

export const encryptedVapidKeys: EncryptedColumn = {
  table: 'web_push_key',
  column: 'encrypted_private_key',
  key: ['only_row'],
  purpose,
  placeOf: () => place,
}
