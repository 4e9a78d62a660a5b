import { sql } from '#server/db/index.ts'
import { enqueueMessage } from '#server/delivery/outbox.ts'
import { alreadyRegisteredText, signinCodeText, signupCodeText } from '#server/delivery/templates.ts'
import type { Services } from '#server/services.ts'
import { challengeSeconds } from './phone-challenge.ts'

const findUserByPhone = sql(import.meta.url, './sql/find-user-by-phone.sql')

/**
 * Sends the code of a registration or sign-in under way. Registering a number that has an account brings a text saying
 * so; signing in with a number that has none brings nothing: strangers' numbers are not written to.
 */
export async function sendPhoneCode(
  services: Services,
  intentId: string,
  { kind, phone, code }: { kind: 'signup-code' | 'signin-code'; phone: string; code: string },
): Promise<void> {
  await services.db.tx('send-phone-code', async (tx) => {
    const user = await tx.oneOrNone<{ id: number; phone_verified: boolean; state: string }>(findUserByPhone, { phone })
    const signsIn = user?.state === 'active' && user.phone_verified
    if (kind === 'signin-code' && !signsIn) return
    const message =
      kind === 'signin-code'
        ? signinCodeText(phone, code)
        : user
          ? alreadyRegisteredText(phone)
          : signupCodeText(phone, code)
    await enqueueMessage(services, tx, {
      template: kind,
      user_id: user?.id ?? null,
      message,
      expiresInSeconds: challengeSeconds,
      dedupeKey: intentId,
    })
  })
}
