import { type EncryptionKey, encryptionKey, type SecretKeys } from '#server/infra/crypto/encrypt.ts'
import type { EncryptedColumn } from '#server/infra/crypto/re-encrypt.ts'

/** Returns the key that encrypts sale mails, their addresses and the passwords of mailboxes. */
export const saleMailKey = (keys: SecretKeys): EncryptionKey => encryptionKey(keys, 'sale-mail')

export const mailPlace = (user_id: number, uid: string) => `sale_mail/${user_id}/${uid}`
export const addressPlace = (user_id: number) => `sale_mail_address/${user_id}`
export const passwordPlace = (user_id: number) => `sale_mailbox/${user_id}`

/** The columns that a rotation of SECRET_KEY re-encrypts. */
export const encryptedSaleMail: EncryptedColumn[] = [
  {
    table: 'sale_mail',
    column: 'encrypted_mail',
    key: ['user_id', 'uid'],
    purpose: 'sale-mail',
    placeOf: ({ user_id, uid }) => mailPlace(Number(user_id), String(uid)),
    batchSize: 4,
  },
  {
    table: 'sale_mail_address',
    column: 'encrypted_address',
    key: ['user_id'],
    purpose: 'sale-mail',
    placeOf: ({ user_id }) => addressPlace(Number(user_id)),
  },
  {
    table: 'sale_mailbox',
    column: 'encrypted_password',
    key: ['user_id'],
    purpose: 'sale-mail',
    placeOf: ({ user_id }) => passwordPlace(Number(user_id)),
  },
]
