import type { EncryptedColumn } from '#server/infra/crypto/re-encrypt.ts'
import { encryptedMessages } from '#server/infra/mail-sms/outbox.ts'
import { rooms } from '#server/rooms.ts'

/** Every column that a rotation of SECRET_KEY re-encrypts. PKCE verifiers live only ten minutes and are left out. */
export const encryptedColumns: EncryptedColumn[] = [
  encryptedMessages,
  ...rooms.flatMap(({ encrypted }) => encrypted ?? []),
]
