import { json, type SandboxRequest, type SandboxResponse } from './kit/http.ts'
import { createLocalServer, readRequest, send } from './kit/listener.ts'

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
  /** Answers the next `times` requests with this status and Twilio error code. */
  refuseNext(status: number, code: number, times?: number): void
  close(): Promise<void>
}

/**
 * Starts the sandbox Twilio with its Messages and Account resources. It refuses what Twilio refuses: a body that is no
 * form, no sender or two (21603), an invalid recipient (21211) or status callback (21609).
 */
export async function startTwilioSandbox(): Promise<TwilioSandbox> {
  const accountSid = `AC${'0'.repeat(32)}`
  const authToken = 'sandbox-twilio-token'
  const credentials = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`
  const accountPath = `/2010-04-01/Accounts/${accountSid}`
  const texts: ReceivedText[] = []
  const refusals: { status: number; code: number }[] = []

  function handle(request: SandboxRequest): SandboxResponse {
    if (request.header('authorization') !== credentials) return refuse(401, 20003)
    switch (`${request.method} ${request.path}`) {
      case `GET ${accountPath}.json`:
        return nextRefusal() ?? json({ sid: accountSid, friendly_name: 'Sandbox', status: 'active', type: 'Full' })
      case `POST ${accountPath}/Messages.json`:
        return nextRefusal() ?? takeText(request)
      default:
        return refuse(404, 20404)
    }
  }

  function nextRefusal(): SandboxResponse | null {
    const next = refusals.shift()
    return next ? refuse(next.status, next.code) : null
  }

  function takeText(request: SandboxRequest): SandboxResponse {
    const form = new URLSearchParams(request.body)
    const field = (name: string) => form.get(name) ?? ''
    const text: ReceivedText = {
      to: field('To'),
      from: field('From'),
      messagingServiceSid: field('MessagingServiceSid'),
      statusCallback: field('StatusCallback'),
      body: field('Body'),
    }
    if (request.header('content-type') !== 'application/x-www-form-urlencoded') return refuse(400, 21604)
    if (!isPhoneNumber(text.to)) return refuse(400, 21211)
    const senders = [isPhoneNumber(text.from), /^MG[0-9a-f]{32}$/.test(text.messagingServiceSid)]
    if (senders.filter(Boolean).length !== 1) return refuse(400, 21603)
    if (form.has('StatusCallback') && !/^https:\/\/[^/.]+\.[^/]+\//.test(text.statusCallback)) return refuse(400, 21609)
    texts.push(text)
    return json({ sid: `SM${String(texts.length).padStart(32, '0')}`, status: 'queued', to: text.to }, 201)
  }

  const server = createLocalServer((message, response) => {
    readRequest(message).then(
      (request) => send(response, handle(request)),
      () => response.destroy(),
    )
  })
  return {
    url: await server.listen(0),
    accountSid,
    authToken,
    texts,
    refuseNext: (status, code, times = 1) => void refusals.push(...Array(times).fill({ status, code })),
    close: () => server.close(),
  }
}

const refuse = (status: number, code: number) => json({ code, status }, status)

const isPhoneNumber = (text: string) => /^\+\d{8,15}$/.test(text)
