import { maskEmail } from '#server/accounts/contact/email.ts'
import { splitFullName } from '#server/accounts/contact/name.ts'
import { countSentText, type TextCaller } from '#server/accounts/limits/text-limits.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { enqueueMessage } from '#server/infra/mail-sms/outbox.ts'
import { recoveredEmailText } from '#server/infra/mail-sms/templates.ts'
import type { Services } from '#server/services.ts'
import * as accountsSql from '../queries.ts'

/** Texts the masked address to its account's verified number. A name only narrows the match. */
export async function sendRecoveredEmail(
  services: Services,
  requestId: string,
  { phone, full_name, caller }: { phone: string; full_name: string | null; caller: TextCaller },
): Promise<void> {
  await transaction(services.db, 'send-recovered-email', async (tx) => {
    const user = await tx.oneOrNone(accountsSql.findUserByPhone({ phone }))
    if (user?.state !== 'active' || !user.phone_verified || user.email === null) return
    if (full_name !== null && !sameName(user, splitFullName(full_name))) return
    if (!(await countSentText(services, tx, phone, caller))) return
    await enqueueMessage(services, tx, {
      template: 'recover-email',
      user_id: user.id,
      message: recoveredEmailText(phone, maskEmail(user.email)),
      expiresInSeconds: 3600,
      dedupeKey: requestId,
    })
  })
}

type Name = { first_name: string; last_name: string }

function sameName(one: Name, other: Name): boolean {
  const plain = ({ first_name, last_name }: Name) => `${first_name} ${last_name}`.trim().normalize('NFKC').toLowerCase()
  return plain(one) === plain(other)
}
