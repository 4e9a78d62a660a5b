import { limitSubject } from '#server/accounts/limits/account-keys.ts'
import { tryLimit } from '#server/accounts/limits/event-limits.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { enqueueMessage } from '#server/infra/mail-sms/outbox.ts'
import { newDeviceMail } from '#server/infra/mail-sms/templates.ts'
import type { Services } from '#server/services.ts'
import { type Client, deviceName, deviceOf, networkOf } from './origin.ts'
import * as sql from './queries.ts'

/** New-device mails a day: sign-ins with ever new browser names must not fill a mailbox. */
const mailsPerDay = [{ max: 10, seconds: 86_400 }]

/**
 * Records the device of a sign-in and mails about a new one, in the caller's transaction. The first device of an
 * account causes no mail.
 */
export async function recordDevice(
  services: Services,
  queries: Queries,
  userId: number,
  client: Client,
): Promise<void> {
  const { email, is_new } = await queries.one(
    sql.insertDevice({ user_id: userId, device: deviceOf(services.config, client) }),
  )
  if (!is_new || email === null) return
  const subject = limitSubject(services.config, `user ${userId}`)
  if ((await tryLimit(queries, 'new-device-mail', subject, mailsPerDay)) !== null) return
  await enqueueMessage(services, queries, {
    template: 'new-device',
    user_id: userId,
    message: newDeviceMail(email, {
      device: deviceName(client.userAgent),
      network: networkOf(client.address),
      at: services.now(),
      publicUrl: services.config.PUBLIC_URL,
    }),
    expiresInSeconds: 86_400,
  })
}
