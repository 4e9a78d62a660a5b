import { sealedGrants } from './auth/apple/sign-in.ts'
import { sealedTotpSecrets } from './auth/second-factor/totp.ts'
import { sealedTokens } from './connections/token-seal.ts'
import type { SealedColumn } from './crypto/reseal.ts'
import { sealedMessages } from './delivery/outbox.ts'
import { sealedSecrets } from './events/sign.ts'

/** Every column that a rotation of SECRET_KEY encrypts anew. PKCE verifiers are not among them: they live ten minutes. */
export const sealedColumns: SealedColumn[] = [
  ...sealedTokens,
  sealedGrants,
  sealedTotpSecrets,
  sealedSecrets,
  sealedMessages,
]
