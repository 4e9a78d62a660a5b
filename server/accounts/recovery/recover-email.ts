import { deferMessage } from '#server/accounts/contact/defer-message.ts'
import { readPhone } from '#server/accounts/contact/phone.ts'
import { limitSubject } from '#server/accounts/limits/account-keys.ts'
import { enforceLimit } from '#server/accounts/limits/event-limits.ts'
import { enforceTextLimits, isKnownNetwork } from '#server/accounts/limits/text-limits.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { HttpProblem, invalidField } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'

/** Requests for one number within 15 minutes. */
const perNumber = [{ max: 5, seconds: 900 }]

/**
 * Recovers an email address by phone: texts the masked address to the verified number. The response reveals nothing,
 * even when the number's texts are used up, and counts known and unknown numbers alike. Throws `rate_limited`,
 * `invalid_request`.
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
  // Numbers that get no texts have no account.
  if (!('phone' in verdict)) return
  const { phone } = verdict
  // A known network counts separately, so strangers cannot use up the owner's requests.
  const isKnown = await isKnownNetwork(services, db, phone, address)
  await enforceLimit(db, 'recover-email', limitSubject(config, isKnown ? `${phone} ${address}` : phone), perNumber)
  try {
    await transaction(db, 'recover-email', async (tx) => {
      const caller = await enforceTextLimits(services, tx, phone, address)
      await deferMessage(services, tx, { kind: 'recover-email', phone, full_name: given.full_name ?? null, caller })
    })
  } catch (error) {
    if (!(error instanceof HttpProblem && error.code === 'rate_limited')) throw error
  }
}
