import { DeliveryError, type TextMessage, type Transport } from './message.ts'

export interface TwilioOptions {
  url: string
  accountSid: string
  authToken: string
  from: string
  fetch: (url: string, init: RequestInit) => Promise<Response>
}

/** Texts by Twilio's REST API (Messages resource). */
export function twilioTransport(options: TwilioOptions): Transport<TextMessage> {
  const credentials = Buffer.from(`${options.accountSid}:${options.authToken}`).toString('base64')
  const url = `${options.url}/2010-04-01/Accounts/${encodeURIComponent(options.accountSid)}/Messages.json`
  return async (message) => {
    let response: Response
    try {
      response = await options.fetch(url, {
        method: 'POST',
        headers: {
          authorization: `Basic ${credentials}`,
          'content-type': 'application/x-www-form-urlencoded',
          accept: 'application/json',
        },
        body: new URLSearchParams({ To: message.to, From: options.from, Body: message.text }).toString(),
        redirect: 'error',
        signal: AbortSignal.timeout(15_000),
      })
    } catch (error) {
      throw new DeliveryError('Twilio could not be reached', true, error)
    }
    const answer: unknown = await response.json().catch(() => null)
    if (response.ok) return
    const code = (answer as { code?: unknown } | null)?.code
    // 401 and 403 are about our account, not about the message: it waits until that is mended.
    const retryable = response.status >= 500 || [401, 403, 408, 429].includes(response.status)
    throw new DeliveryError(`Twilio: HTTP ${response.status}, code ${String(code ?? 'none').slice(0, 20)}`, retryable)
  }
}
