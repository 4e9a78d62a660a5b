import { json, type SandboxRequest, type SandboxResponse } from '#server/sandbox/kit/http.ts'
import { createLocalServer, readRequest, send } from '#server/sandbox/kit/listener.ts'

interface ReceivedText {
  to: string
  /** The number it was sent from; empty where a messaging service chooses. */
  from: string
  messagingServiceSid: string
  statusCallback: string
  body: string
}

interface TwilioAccount {
  /** Whether its primary compliance profile is approved. Without it only verified numbers get texts (21608). */
  isApproved: boolean
  /** Numbers that a person has verified in the console. */
  verified: Set<string>
  /** Prefixes that are on in Geo permissions; others are refused (21408). */
  countries: string[]
  /** Numbers that answered STOP (21610). */
  stopped: Set<string>
}

export interface TwilioSandbox {
  url: string
  accountSid: string
  authToken: string
  texts: ReceivedText[]
  /** The account's permissions, which a test may change. */
  account: TwilioAccount
  /** Answers the next `times` requests with this status and Twilio error code. */
  refuseNext(status: number, code: number, times?: number): void
  close(): Promise<void>
}

/**
 * Starts the sandbox Twilio with its Messages and Account resources. It refuses what Twilio refuses: a body that is no
 * form, no sender or two (21603), an invalid recipient (21211) or status callback (21609), and what the account may not
 * do. Read at https://www.twilio.com/docs/api/errors, a page for each code; the form of a refusal at
 * https://www.twilio.com/docs/usage/twilios-response.
 *
 * `isFresh`: the account is as on its first day, without an approved compliance profile.
 */
export async function startTwilioSandbox({ isFresh = false } = {}): Promise<TwilioSandbox> {
  const accountSid = `AC${'0'.repeat(32)}`
  const authToken = 'sandbox-twilio-token'
  const credentials = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`
  const accountPath = `/2010-04-01/Accounts/${accountSid}`
  const texts: ReceivedText[] = []
  const refusals: { status: number; code: number }[] = []
  const account: TwilioAccount = { isApproved: !isFresh, verified: new Set(), countries: ['+'], stopped: new Set() }

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
    if (!account.isApproved && !account.verified.has(text.to)) return refuse(400, 21608)
    if (!account.countries.some((prefix) => text.to.startsWith(prefix))) return refuse(400, 21408)
    if (account.stopped.has(text.to)) return refuse(400, 21610)
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
    account,
    refuseNext: (status, code, times = 1) => void refusals.push(...Array(times).fill({ status, code })),
    close: () => server.close(),
  }
}

/** Titles of the codes' pages. The real messages of some repeat the number. */
const messages: Record<number, string> = {
  20003: 'Authenticate',
  20404: 'The requested resource was not found',
  21211: "The 'To' number is not a valid phone number.",
  21408: "Permission to send an SMS has not been enabled for the region indicated by the 'To' number.",
  21603: "A 'From' phone number is required.",
  21604: "A 'To' phone number is required.",
  21608: 'The number is unverified. Trial accounts cannot send messages to unverified numbers.',
  21609: "The 'StatusCallback' URL is not a valid URL.",
  21610: 'Attempt to send to unsubscribed recipient',
}

const refuse = (status: number, code: number) =>
  json(
    { code, message: messages[code] ?? 'Refused', more_info: `https://www.twilio.com/docs/errors/${code}`, status },
    status,
  )

const isPhoneNumber = (text: string) => /^\+\d{8,15}$/.test(text)
