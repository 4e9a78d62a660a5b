import { encryptedGrants } from '#server/accounts/sign-in/apple/grants.ts'
import { encryptedTotpSecrets } from '#server/accounts/sign-in/second-factor/totp.ts'
import { encryptedSubscriptions } from '#server/accounts/web-push/subscriptions.ts'
import { encryptedVapidKeys } from '#server/accounts/web-push/vapid-keys.ts'
import type { EncryptedColumn } from '#server/infra/crypto/re-encrypt.ts'
import { encryptedMessages } from '#server/infra/mail-sms/outbox.ts'
import { encryptedTokens } from '#server/integrations/connections/token-encryption.ts'
import { encryptedSaleMail } from '#server/selling/sale-mail/encryption.ts'
import { encryptedSecrets } from '#server/webhooks/sign.ts'

/** Every column that a rotation of SECRET_KEY re-encrypts. PKCE verifiers live only ten minutes and are left out. */
export const encryptedColumns: EncryptedColumn[] = [
  ...encryptedTokens,
  encryptedGrants,
  encryptedTotpSecrets,
  ...encryptedSecrets,
  encryptedMessages,
  encryptedVapidKeys,
  encryptedSubscriptions,
  ...encryptedSaleMail,
]
