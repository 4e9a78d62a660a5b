import { readPhone } from '#server/accounts/contact/phone.ts'
import { HttpProblem, invalidField } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import { limitSubject } from './account-keys.ts'
import { admit } from './admit.ts'
import { admitText, isKnownNetwork } from './admit-text.ts'
import { noteIntent } from './note-intent.ts'

/** Requests for one number within 15 minutes (specification, section 8). */
const perNumber = [{ max: 5, seconds: 900 }]

/**
 * Recovers the email address by phone (spec 4.10): the answer never tells anything, the masked address goes by text
 * to the verified number. A number whose texts are used up gets the same answer and no text; that too counts the same
 * for known and unknown numbers. Throws `rate_limited`, `invalid_request`.
 */
export async function recoverEmail(
  services: Services,
  given: { phone_number: string; full_name?: string },
  address: string,
): Promise<void> {
  const { config, db } = services
  const verdict = readPhone(given.phone_number, config.SMS_COUNTRIES)
  if ('fault' in verdict && verdict.fault === 'invalid') {
    throw invalidField('phone_number', 'invalid_phone', 'is not a phone number, written as +14155550100')
  }
  // A number that no text is sent to belongs to no account.
  if (!('phone' in verdict)) return
  const { phone } = verdict
  // A network that the account was entered from counts apart, so that strangers cannot use up the owner's requests.
  const isKnown = await isKnownNetwork(services, db, phone, address)
  await admit(db, 'recover-email', limitSubject(config, isKnown ? `${phone} ${address}` : phone), perNumber)
  try {
    await db.tx('recover-email', async (tx) => {
      const caller = await admitText(services, tx, phone, address)
      await noteIntent(services, tx, { kind: 'recover-email', phone, full_name: given.full_name ?? null, caller })
    })
  } catch (error) {
    if (!(error instanceof HttpProblem && error.code === 'rate_limited')) throw error
  }
}
