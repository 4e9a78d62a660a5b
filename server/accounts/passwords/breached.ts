import { createHash } from 'node:crypto'
import { invalidField } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'

/** How long a registration waits for the service, in ms. */
const timeoutMs = 1_500

/** Lookups that failed since this process started. */
let failures = 0

/**
 * Refuses a password that stands in a public list of breached ones, where the operator named a service that knows them
 * (`BREACHED_PASSWORDS_URL`). The service is told the first 5 of 40 digits of the SHA-1 only, and answers all suffixes that
 * it has for them. When the service does not answer in time the password passes, and the failure is logged: signing up must
 * not depend on a stranger. Throws `invalid_request` naming `field`.
 */
export async function refuseBreachedPassword(
  { config, fetch, log }: Pick<Services, 'config' | 'fetch' | 'log'>,
  password: string,
  field: string,
): Promise<void> {
  if (!config.BREACHED_PASSWORDS_URL) return
  const digits = createHash('sha1').update(password).digest('hex').toUpperCase()
  let known: boolean
  try {
    const response = await fetch(`${config.BREACHED_PASSWORDS_URL}/range/${digits.slice(0, 5)}`, {
      headers: { 'add-padding': 'true', 'user-agent': 'Hapax' },
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (response.status !== 200) throw new Error(`the service answered ${response.status}`)
    known = hasSuffix(await response.text(), digits.slice(5))
  } catch (error) {
    failures++
    log.warn({ err: error, failures }, 'a password could not be looked up among the breached ones; it was accepted')
    return
  }
  if (known) throw invalidField(field, 'breached_password', 'is in a public list of stolen passwords')
}

/** Whether the answer has the suffix: a line `SUFFIX:COUNT`. Padding is lines whose count is 0. */
function hasSuffix(answer: string, suffix: string): boolean {
  return answer.split('\n').some((line) => {
    const [found, count] = line.trim().split(':')
    return found === suffix && Number(count) > 0
  })
}
