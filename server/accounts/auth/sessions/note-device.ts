import { type Queries, sql } from '#server/infra/db/index.ts'
import { enqueueMessage } from '#server/infra/mail-sms/outbox.ts'
import { newDeviceMail } from '#server/infra/mail-sms/templates.ts'
import type { Services } from '#server/services.ts'
import { limitSubject } from '../account-keys.ts'
import { tryAdmit } from '../admit.ts'
import { type Client, deviceName, deviceOf, networkOf } from './origin.ts'

const insertDevice = sql(import.meta.url, './sql/insert-device.sql')

/** So many of these mails a day: signing in by ever new names of browsers must not fill somebody's mailbox. */
const mailsPerDay = [{ max: 10, seconds: 86_400 }]

/**
 * Notes from which device an account was signed in to, and writes a mail about a new one, in the transaction of the
 * caller. Nothing is written about the first device of an account.
 */
export async function noteDevice(services: Services, queries: Queries, userId: number, client: Client): Promise<void> {
  const { email, is_new } = await queries.one<{ email: string | null; is_new: boolean }>(insertDevice, {
    user_id: userId,
    device: deviceOf(services.config, client),
  })
  if (!is_new || email === null) return
  const subject = limitSubject(services.config, `user ${userId}`)
  if ((await tryAdmit(queries, 'new-device-mail', subject, mailsPerDay)) !== null) return
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
