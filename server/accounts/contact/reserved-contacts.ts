import { createHmac } from 'node:crypto'
import { type Config, hashKeyOf } from '#server/config.ts'
import { deriveBytes } from '#server/infra/crypto/encrypt.ts'
import type { Queries } from '#server/infra/db/index.ts'
import * as sql from './queries.ts'

/** An email address, phone number or identity of another service. */
export type Contact = { email: string } | { phone: string } | { provider: string; subject: string }

/** Returns a keyed hash, so that nobody without the key can test whose account was erased. */
function hashOf(config: Config, contact: Contact): Buffer {
  const text =
    'email' in contact
      ? `email ${contact.email}`
      : 'phone' in contact
        ? `phone ${contact.phone}`
        : `${contact.provider} ${contact.subject}`
  return createHmac('sha256', deriveBytes(hashKeyOf(config), 'reserved-contact'))
    .update(text)
    .digest()
}

/** Reserves the contacts of an erased account: no new account can use them. */
export async function reserveContacts(config: Config, queries: Queries, contacts: Contact[]): Promise<void> {
  await queries.none(sql.reserveContacts({ hashes: contacts.map((contact) => hashOf(config, contact)) }))
}

/** Returns whether one of the contacts belonged to an erased account. */
export async function isReserved(config: Config, queries: Queries, contacts: Contact[]): Promise<boolean> {
  const hashes = contacts.map((contact) => hashOf(config, contact))
  return (await queries.one(sql.findReserved({ hashes }))).is_reserved
}
