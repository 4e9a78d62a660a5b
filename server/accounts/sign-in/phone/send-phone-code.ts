import type { PhoneCodeRequest } from '#server/accounts/contact/defer-message.ts'
import { isReserved } from '#server/accounts/contact/reserved-contacts.ts'
import { countSentText } from '#server/accounts/limits/text-limits.ts'
import * as accountsSql from '#server/accounts/queries.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { enqueueMessage } from '#server/infra/mail-sms/outbox.ts'
import {
  alreadyRegisteredText,
  closedAccountText,
  erasedAccountText,
  signinCodeText,
  signupCodeText,
} from '#server/infra/mail-sms/templates.ts'
import type { Services } from '#server/services.ts'

/**
 * Sends the code of a pending registration or sign-in until it expires. Registering a known number sends a text that
 * says so; signing in with an unknown number sends nothing, since strangers must not get texts.
 */
export async function sendPhoneCode(
  services: Services,
  requestId: string,
  { kind, phone, code, expires_at, caller }: PhoneCodeRequest,
): Promise<void> {
  await transaction(services.db, 'send-phone-code', async (tx) => {
    const user = await tx.oneOrNone(accountsSql.findUserByPhone({ phone }))
    const signsIn = user?.state === 'active' && user.phone_verified
    if (kind === 'signin-code' && !signsIn) return
    const isErased = !user && (await isReserved(services.config, tx, [{ phone }]))
    if (!(await countSentText(services, tx, phone, caller))) return
    const message =
      kind === 'signin-code'
        ? signinCodeText(phone, code)
        : isErased
          ? erasedAccountText(phone)
          : !user
            ? signupCodeText(phone, code)
            : user.state === 'active'
              ? alreadyRegisteredText(phone)
              : closedAccountText(phone)
    await enqueueMessage(services, tx, {
      template: kind,
      user_id: user?.id ?? null,
      message,
      expiresInSeconds: (Date.parse(expires_at) - services.now().getTime()) / 1_000,
      dedupeKey: requestId,
    })
  })
}
