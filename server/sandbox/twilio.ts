import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedText {
  to: string
  /** The number it was sent from; empty where a messaging service chooses. */
  from: string
  messagingServiceSid: string
  statusCallback: string
  body: string
}

export interface TwilioSandbox {
  url: string
  accountSid: string
  authToken: string
  texts: ReceivedText[]
  /** Answers the next request with this status and Twilio error code, as often as given. */
  refuseNext(status: number, code: number, times?: number): void
  close(): Promise<void>
}

/**
 * Twilio's Messages and Account resources on 127.0.0.1: takes a text with the right credentials and keeps it. Refuses what Twilio
 * refuses: a body that is no form, no sender or two (21603), an invalid recipient (21211) or status callback (21609).
 */
export async function startTwilioSandbox(): Promise<TwilioSandbox> {
  const accountSid = `AC${'0'.repeat(32)}`
  const authToken = 'fake-twilio-token'
  const texts: ReceivedText[] = []
  const refusals: { status: number; code: number }[] = []
  const server = createServer((request, response) => {
    const answer = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const wanted = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`
      if (request.headers.authorization !== wanted) return answer(401, { code: 20003, status: 401 })
      if (request.method === 'GET' && request.url === `/2010-04-01/Accounts/${accountSid}.json`) {
        const refused = refusals.shift()
        if (refused) return answer(refused.status, { code: refused.code, status: refused.status })
        return answer(200, { sid: accountSid, friendly_name: 'Sandbox', status: 'active', type: 'Full' })
      }
      if (request.method !== 'POST' || request.url !== `/2010-04-01/Accounts/${accountSid}/Messages.json`) {
        return answer(404, { code: 20404, status: 404 })
      }
      const refusal = refusals.shift()
      if (refusal) return answer(refusal.status, { code: refusal.code, status: refusal.status })
      const form = new URLSearchParams(Buffer.concat(chunks).toString('utf8'))
      const text: ReceivedText = {
        to: form.get('To') ?? '',
        from: form.get('From') ?? '',
        messagingServiceSid: form.get('MessagingServiceSid') ?? '',
        statusCallback: form.get('StatusCallback') ?? '',
        body: form.get('Body') ?? '',
      }
      if (request.headers['content-type'] !== 'application/x-www-form-urlencoded') {
        return answer(400, { code: 21604, status: 400 })
      }
      if (!/^\+\d{8,15}$/.test(text.to)) return answer(400, { code: 21211, status: 400 })
      const senders = [/^\+\d{8,15}$/.test(text.from), /^MG[0-9a-f]{32}$/.test(text.messagingServiceSid)]
      if (senders.filter(Boolean).length !== 1) return answer(400, { code: 21603, status: 400 })
      if (form.has('StatusCallback') && !/^https:\/\/[^/.]+\.[^/]+\//.test(text.statusCallback)) {
        return answer(400, { code: 21609, status: 400 })
      }
      texts.push(text)
      answer(201, { sid: `SM${String(texts.length).padStart(32, '0')}`, status: 'queued', to: text.to })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accountSid,
    authToken,
    texts,
    refuseNext: (status, code, times = 1) => void refusals.push(...Array(times).fill({ status, code })),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
