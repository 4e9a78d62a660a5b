import { createHash } from 'node:crypto'
import { invalidField } from '#server/infra/errors.ts'
import { boundedFetch } from '#server/infra/fetch.ts'
import type { Services } from '#server/services.ts'

/** Lookups that failed since this process started. */
let failures = 0

/**
 * Refuses a password of a public list of breached ones, if the operator named a service that has it
 * (`BREACHED_PASSWORDS_URL`). Sends the service only the first 5 of 40 hex digits of the SHA-1, and receives all suffixes
 * that it knows. If the service does not answer in time, accepts the password and logs the failure: a third party's
 * outage must not stop registrations. Throws `invalid_request` naming `field`.
 */
export async function refuseBreachedPassword(
  { config, fetch, log, times }: Pick<Services, 'config' | 'fetch' | 'log' | 'times'>,
  password: string,
  field: string,
): Promise<void> {
  if (!config.BREACHED_PASSWORDS_URL) return
  const digits = createHash('sha1').update(password.normalize('NFKC')).digest('hex').toUpperCase()
  let known: boolean
  try {
    const response = await boundedFetch(
      fetch,
      'service',
      times.breachedLookupMs,
    )(`${config.BREACHED_PASSWORDS_URL}/range/${digits.slice(0, 5)}`, {
      headers: { 'add-padding': 'true', 'user-agent': 'Hapax' },
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

/** Returns whether the answer has a line `SUFFIX:COUNT` for the suffix. Lines with a count of 0 are padding. */
function hasSuffix(answer: string, suffix: string): boolean {
  return answer.split('\n').some((line) => {
    const [found, count] = line.trim().split(':')
    return found === suffix && Number(count) > 0
  })
}
