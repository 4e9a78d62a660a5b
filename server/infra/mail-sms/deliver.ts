import { createSeldom } from '#server/infra/log/log-seldom.ts'
import type { InfraServices } from '#server/infra/services.ts'
import { DeliveryError, type Mail, type Message, type TextMessage, type Transport } from './message.ts'
import { decryptMessage } from './outbox.ts'
import * as sql from './queries.ts'

/** The channels for messages; null for one without a provider. */
export interface Transports {
  mail: Transport<Mail> | null
  sms: Transport<TextMessage> | null
}

/** Logs a message that must wait. */
type LogWaiting = (about: object, reason: string) => void

/** The interval between two lines about the same reason: every waiting message is tried once a minute. */
const sameReasonMs = 600_000

/** Returns a log of waiting messages that names each reason once in ten minutes, with the number of tries between. */
export function createLogWaiting(log: InfraServices['log'], nowMs?: () => number): LogWaiting {
  const seldom = new Map<string, ReturnType<typeof createSeldom>>()
  return (about, reason) => {
    const write = seldom.get(reason) ?? createSeldom(sameReasonMs, nowMs)
    // Reasons are few; an address or an id in one must not fill the memory.
    if (seldom.size >= 100) seldom.clear()
    seldom.set(reason, write)
    write((skipped) => log.warn({ ...about, reason, skipped }, 'messages cannot be sent yet'))
  }
}

/**
 * Sends one message of the outbox at least once; a repetition has the same id. In the sandbox, a channel without
 * provider keeps its messages for `/sandbox/`. Throws if it should be retried.
 */
export async function deliver(
  services: InfraServices,
  transports: Transports,
  id: string,
  logWaiting = createLogWaiting(services.log),
): Promise<void> {
  const { db, config, log } = services
  const claimed = await db.oneOrNone(sql.claimMessage({ id }))
  if (!claimed) {
    const { is_being_sent } = await db.one(sql.isBeingSent({ id }))
    // The other worker may have crashed, so this job must not end before the message is sent.
    if (is_being_sent) throw new DeliveryError('another worker is sending it', true)
    return
  }
  const finish = async (status: string, lastError: string | null, keep: boolean) => {
    await db.none(sql.finishMessage({ id, status, last_error: lastError, keep, attempts: claimed.attempts }))
  }
  const about = { message_id: id, channel: claimed.channel, template: claimed.template, attempts: claimed.attempts }
  if (claimed.expired) {
    log.warn(about, 'a message was not sent in time and is dropped')
    return finish('expired', claimed.last_error, config.sandbox)
  }
  if (config.sandbox && transports[claimed.channel] === null) return finish('sent', null, true)
  try {
    await inTime(send(transports, decryptMessage(config, id, claimed.encrypted_message), id))
  } catch (error) {
    const retryable = !(error instanceof DeliveryError) || error.retryable
    const reason = String((error as Error).message).slice(0, 300)
    await finish(retryable ? 'waiting' : 'failed', reason, retryable)
    if (retryable) {
      logWaiting(about, reason)
      // A fault of ours needs its stack.
      if (!(error instanceof DeliveryError)) log.error({ ...about, err: error }, 'a message could not be sent')
      throw error
    }
    log.error({ ...about, reason, err: error }, 'a message was refused and is given up')
    return
  }
  await finish('sent', null, config.sandbox)
  log.info(about, 'message sent')
}

/**
 * Shorter than the claim on a message (`claimMessage`), because a server that answers each line late would never
 * end.
 */
const longestSendMs = 50_000

async function inTime(sending: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new DeliveryError('the provider took too long', true)), longestSendMs)
  })
  try {
    await Promise.race([sending, late])
  } finally {
    clearTimeout(timer)
  }
}

async function send(transports: Transports, message: Message, id: string): Promise<void> {
  if (message.channel === 'mail') {
    if (!transports.mail) throw new DeliveryError('no SMTP server is configured (SMTP_URL)', true)
    return transports.mail(message, id)
  }
  if (!transports.sms) throw new DeliveryError('no SMS provider is configured (TWILIO_…)', true)
  return transports.sms(message, id)
}
