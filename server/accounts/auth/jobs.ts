import { open } from '#server/infra/crypto/seal.ts'
import type { JobKind } from '#server/infra/jobs/index.ts'
import type { Services } from '#server/services.ts'
import { accountKeys } from './account-keys.ts'
import { type Intent, intentQueue } from './note-intent.ts'
import { sendPasswordReset } from './send-password-reset.ts'
import { sendPhoneCode } from './send-phone-code.ts'
import { sendRecoveredEmail } from './send-recovered-email.ts'

/** Finding the account that an intent is about, and writing its message. */
export function intentJobs(services: Services): JobKind<{ id: string; sealed: string }>[] {
  return [
    {
      queue: intentQueue,
      concurrency: 2,
      retryLimit: 6,
      retryDelaySeconds: 2,
      heartbeatSeconds: 20,
      expireInSeconds: 60,
      async run({ id, sealed }) {
        const plain = open(Buffer.from(sealed, 'base64'), `intent/${id}`, accountKeys(services.config).intent)
        await runIntent(services, id, JSON.parse(plain) as Intent)
      },
    },
  ]
}

/** `id` is the intent's: running it twice sends one message. */
function runIntent(services: Services, id: string, intent: Intent): Promise<void> {
  switch (intent.kind) {
    case 'password-reset':
      return sendPasswordReset(services, id, intent)
    case 'signup-code':
    case 'signin-code':
      return sendPhoneCode(services, id, intent)
    case 'recover-email':
      return sendRecoveredEmail(services, id, intent)
  }
}
