import { sealedGrants } from '#server/accounts/auth/apple/sign-in.ts'
import { sealedTotpSecrets } from '#server/accounts/auth/second-factor/totp.ts'
import type { SealedColumn } from '#server/infra/crypto/reseal.ts'
import { sealedMessages } from '#server/infra/mail-sms/outbox.ts'
import { sealedTokens } from '#server/integrations/connections/token-seal.ts'
import { sealedSecrets } from '#server/webhooks/sign.ts'

/** Every column that a rotation of SECRET_KEY encrypts anew. PKCE verifiers are not among them: they live ten minutes. */
export const sealedColumns: SealedColumn[] = [
  ...sealedTokens,
  sealedGrants,
  sealedTotpSecrets,
  sealedSecrets,
  sealedMessages,
]
