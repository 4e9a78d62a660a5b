import { identityKey } from '#server/accounts/limits/account-keys.ts'
import { decrypt } from '#server/infra/crypto/encrypt.ts'
import type { Queries } from '#server/infra/db/index.ts'
import type { JobKind } from '#server/infra/jobs/index.ts'
import type { Services } from '#server/services.ts'
import { createAppleClient } from './client.ts'
import { identityPlace } from './sign-in.ts'

const queue = 'apple-revoke'

interface Grant {
  subject: string
  /** Encrypted, in base64. */
  encrypted: string
}

/** Enqueues the revocation of a closed account's grant, which Apple requires, in the closing transaction. */
export async function enqueueRevocation(
  { jobs }: Services,
  queries: Queries,
  { subject, encrypted_refresh_token }: { subject: string; encrypted_refresh_token: Buffer },
): Promise<void> {
  await jobs.send(queries, queue, { subject, encrypted: encrypted_refresh_token.toString('base64') } satisfies Grant)
}

export function revocationJobs(services: Services): JobKind<Grant>[] {
  const apple = createAppleClient(services)
  return [
    {
      queue,
      concurrency: 1,
      retryLimit: 10,
      retryDelaySeconds: 30,
      heartbeatSeconds: 20,
      expireInSeconds: 60,
      async run({ subject, encrypted }) {
        const key = identityKey(services.config)
        await apple?.revoke(decrypt(Buffer.from(encrypted, 'base64'), identityPlace(subject), key))
      },
    },
  ]
}
