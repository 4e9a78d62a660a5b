import { customAlphabet } from 'nanoid'
import { hashSecret } from '#server/http/credentials/credentials.ts'
import { decrypt, encrypt } from '#server/infra/crypto/encrypt.ts'
import type { Queries } from '#server/infra/db/index.ts'
import type { Services } from '#server/services.ts'
import { addressPlace, saleMailKey } from './encryption.ts'
import * as sql from './queries.ts'

/** Mail systems change the case of addresses, so the secret has lower case only: 30 characters, 155 bits. */
const randomSecret = customAlphabet('0123456789abcdefghijklmnopqrstuv', 30)

/**
 * Returns the seller's address for forwarded mails, made at the first call. Null where this server takes no mail by SMTP.
 */
export async function readAddress({ config }: Pick<Services, 'config'>, queries: Queries, user_id: number) {
  const { SALE_MAIL_DOMAIN: domain } = config
  if (domain === undefined) return null
  let stored = await queries.oneOrNone(sql.findAddress({ user_id }))
  if (!stored) {
    await queries.none(sql.insertAddressOnce(newAddress(config, user_id)))
    stored = await queries.one(sql.findAddress({ user_id }))
  }
  return addressOf(decrypt(stored.encrypted_address, addressPlace(user_id), saleMailKey(config)), domain)
}

/** Gives the seller a new address in place of the old one. */
export async function rotateAddress({ config, db }: Pick<Services, 'config' | 'db'>, user_id: number): Promise<void> {
  await db.none(sql.insertAddress(newAddress(config, user_id)))
}

/** `none`: not an address of this server. `unknown`: of no seller. */
export async function findSeller(
  { config, db }: Pick<Services, 'config' | 'db'>,
  address: string,
): Promise<{ user_id: number } | 'none' | 'unknown'> {
  const [, local = '', domain = ''] = /^(.*)@([^@]+)$/.exec(address.toLowerCase()) ?? []
  if (domain !== config.SALE_MAIL_DOMAIN?.toLowerCase()) return 'none'
  const secret = /^sales-([0-9a-v]{30})$/.exec(local)?.[1]
  if (secret === undefined) return 'unknown'
  return (await db.oneOrNone(sql.findByAddress({ address_hash: hashSecret(secret) }))) ?? 'unknown'
}

const addressOf = (secret: string, domain: string) => `sales-${secret}@${domain.toLowerCase()}`

function newAddress(config: Services['config'], user_id: number) {
  const secret = randomSecret()
  return {
    user_id,
    address_hash: hashSecret(secret),
    encrypted_address: encrypt(secret, addressPlace(user_id), saleMailKey(config)),
  }
}
