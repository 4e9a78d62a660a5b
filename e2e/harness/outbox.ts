import { decryptMessage } from '#server/infra/mail-sms/outbox.ts'
import type { Services } from '#server/services.ts'
import { until } from './until.ts'

interface SentMessage {
  id: string
  template: string
  status: string
  to: string
  subject?: string
  text: string
  html?: string
}

/** Returns all messages to a recipient, oldest first. */
export async function messagesTo({ db, config }: Services, to: string): Promise<SentMessage[]> {
  const rows = await db.any<{ id: string; template: string; status: string; encrypted_message: Buffer }>(
    'select id, template, status, encrypted_message from outbox_message where encrypted_message is not null order by created_at',
  )
  return rows
    .map(({ encrypted_message, ...row }) => ({ ...row, ...decryptMessage(config, row.id, encrypted_message) }))
    .filter((message) => message.to === to)
}

/** Waits until jobs have written `count` messages of a template to a recipient, and returns the newest. */
export async function waitForMessage(
  services: Services,
  to: string,
  template: string,
  count = 1,
): Promise<SentMessage> {
  const found = await until(
    async () => (await messagesTo(services, to)).filter((message) => message.template === template),
    ({ length }) => length >= count,
  )
  return found.at(-1)!
}

/** Waits until all messages are sent. Waiting messages would be deleted with their account. */
export async function untilSent({ db }: Services): Promise<void> {
  await until(
    () => db.any("select from outbox_message where status in ('waiting', 'sending')"),
    ({ length }) => length === 0,
  )
}

/** Waits until all deferred messages are processed, so that no further message is written. */
export async function settleDeferredMessages({ db }: Services): Promise<void> {
  await until(
    () => db.any("select from jobs.job where name = 'account-intent' and state in ('created', 'retry', 'active')"),
    ({ length }) => length === 0,
  )
}

/** Returns the token in a mail's link. */
export const tokenIn = (message: SentMessage) => /hpx[rv]_[0-9A-Za-z]{38}/.exec(message.text)![0]

/** Returns the 6-digit code in a message. */
export const codeIn = (message: SentMessage) => /\b\d{6}\b/.exec(message.text)![0]
