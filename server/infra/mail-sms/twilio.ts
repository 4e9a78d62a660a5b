import { createHmac, timingSafeEqual } from 'node:crypto'
import { boundedFetch, type Fetch } from '../fetch.ts'
import { DeliveryError, type TextMessage, type Transport } from './message.ts'
import { describeTextCode, serverCodes } from './text-refusals.ts'

interface TwilioOptions {
  url: string
  accountSid: string
  authToken: string
  /** A messaging service, or one number in E.164. */
  sender: { messagingServiceSid: string } | { from: string }
  /** Returns the URL for a message's delivery reports; null if Twilio cannot reach this server. */
  reportUrl: (id: string) => string | null
  fetch: Fetch
}

/** Sends texts through Twilio's REST API (Messages resource). */
export function twilioTransport(options: TwilioOptions): Transport<TextMessage> {
  const credentials = Buffer.from(`${options.accountSid}:${options.authToken}`).toString('base64')
  const url = `${options.url}/2010-04-01/Accounts/${encodeURIComponent(options.accountSid)}/Messages.json`
  return async (message, id) => {
    const { sender } = options
    const form = new URLSearchParams({ To: message.to, Body: message.text })
    if ('messagingServiceSid' in sender) form.set('MessagingServiceSid', sender.messagingServiceSid)
    else form.set('From', sender.from)
    const reportUrl = options.reportUrl(id)
    if (reportUrl) form.set('StatusCallback', reportUrl)
    let response: Response
    try {
      response = await boundedFetch(options.fetch, 'service')(url, {
        method: 'POST',
        headers: {
          authorization: `Basic ${credentials}`,
          'content-type': 'application/x-www-form-urlencoded',
          accept: 'application/json',
        },
        body: form.toString(),
      })
    } catch (error) {
      throw new DeliveryError('Twilio could not be reached', true, error)
    }
    const answer: unknown = await response.json().catch(() => null)
    if (!response.ok) throw refusalOf(response.status, answer)
  }
}

/** Twilio's own words are left out, because they repeat the number. */
function refusalOf(status: number, answer: unknown): DeliveryError {
  const code = (answer as { code?: unknown } | null)?.code
  // A refusal that concerns our account leaves the message valid, so it waits.
  const retryable = status >= 500 || [401, 403, 408, 429].includes(status) || serverCodes.includes(String(code))
  return new DeliveryError(`Twilio: HTTP ${status}, ${describeTextCode(code)}`, retryable)
}

/** Returns the status of the account: `active`, `suspended`, `closed`. Throws DeliveryError if Twilio refuses. */
export async function readTwilioAccount(
  options: Pick<TwilioOptions, 'url' | 'accountSid' | 'authToken' | 'fetch'>,
): Promise<string> {
  const credentials = Buffer.from(`${options.accountSid}:${options.authToken}`).toString('base64')
  const response = await boundedFetch(options.fetch, 'service')(
    `${options.url}/2010-04-01/Accounts/${encodeURIComponent(options.accountSid)}.json`,
    {
      headers: { authorization: `Basic ${credentials}`, accept: 'application/json' },
    },
  ).catch((error: unknown) => {
    throw new DeliveryError('Twilio could not be reached', true, error)
  })
  const answer = (await response.json().catch(() => null)) as { status?: unknown } | null
  if (response.ok && typeof answer?.status === 'string') return answer.status.slice(0, 40)
  throw refusalOf(response.status, answer)
}

/**
 * Returns whether Twilio signed this request: base64 of HMAC-SHA1, keyed by the auth token, over the full URL followed
 * by each POST parameter's name and value in the order of names.
 * Source: https://www.twilio.com/docs/usage/security#validating-requests
 */
export function isSignedByTwilio(authToken: string, url: string, form: URLSearchParams, signature: string): boolean {
  const names = [...new Set(form.keys())].sort()
  const signed = url + names.map((name) => name + form.getAll(name).join('')).join('')
  const wanted = createHmac('sha1', authToken).update(signed, 'utf8').digest()
  const given = Buffer.from(signature, 'base64')
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
