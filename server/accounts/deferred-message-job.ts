import { decrypt } from '#server/infra/crypto/encrypt.ts'
import type { JobKind } from '#server/infra/jobs/index.ts'
import type { Services } from '#server/services.ts'
import { type DeferredMessage, deferredMessageQueue } from './contact/defer-message.ts'
import { deferredMessageKey } from './limits/account-keys.ts'
import { sendPasswordReset } from './recovery/send-password-reset.ts'
import { sendRecoveredEmail } from './recovery/send-recovered-email.ts'
import { sendPhoneCode } from './sign-in/phone/send-phone-code.ts'

/** Returns the job that finds the account of a deferred request and writes its message. */
export function deferredMessageJobs(services: Services): JobKind<{ id: string; encrypted: string }>[] {
  return [
    {
      queue: deferredMessageQueue,
      concurrency: 2,
      retryLimit: 6,
      retryDelaySeconds: 2,
      heartbeatSeconds: 20,
      expireInSeconds: 60,
      async run({ id, encrypted }) {
        const plain = decrypt(Buffer.from(encrypted, 'base64'), `intent/${id}`, deferredMessageKey(services.config))
        await writeMessage(services, id, JSON.parse(plain) as DeferredMessage)
      },
    },
  ]
}

/** `id` identifies the request: running it twice sends one message. */
function writeMessage(services: Services, id: string, message: DeferredMessage): Promise<void> {
  switch (message.kind) {
    case 'password-reset':
      return sendPasswordReset(services, id, message)
    case 'signup-code':
    case 'signin-code':
      return sendPhoneCode(services, id, message)
    case 'recover-email':
      return sendRecoveredEmail(services, id, message)
  }
}
