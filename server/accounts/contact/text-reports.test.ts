import { createHmac } from 'node:crypto'
import { request } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { somePhone } from '#e2e/harness/register.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { deliver } from '#server/infra/mail-sms/deliver.ts'
import { enqueueMessage } from '#server/infra/mail-sms/outbox.ts'
import { signupCodeText } from '#server/infra/mail-sms/templates.ts'
import { startTwilioSandbox, type TwilioSandbox } from '#server/infra/mail-sms/testing/twilio-server.ts'
import { createTransports } from '#server/infra/mail-sms/transports.ts'
import { isSignedByTwilio } from '#server/infra/mail-sms/twilio.ts'
import { runAdmin } from '#server/operations/admin/run-admin.ts'

const messagingService = `MG${'ab'.repeat(16)}`
const publicUrl = 'https://hapax.example'

let twilio: TwilioSandbox
let server: TestServer
beforeAll(async () => {
  twilio = await startTwilioSandbox()
  server = await startTestServer({
    works: false,
    environment: {
      PUBLIC_URL: publicUrl,
      TWILIO_URL: twilio.url,
      TWILIO_ACCOUNT_SID: twilio.accountSid,
      TWILIO_AUTH_TOKEN: twilio.authToken,
      TWILIO_FROM: '+14155559999',
      TWILIO_MESSAGING_SERVICE_SID: messagingService,
    },
  })
})
afterAll(async () => {
  await server?.close()
  await twilio?.close()
})

/** Sends a text and returns the id of its outbox row. */
async function sendText(phone = somePhone()): Promise<string> {
  const { services } = server
  await services.db.tx((tx) =>
    enqueueMessage(services, tx, {
      template: 'signup-code',
      user_id: null,
      message: signupCodeText(phone, '123456'),
      expiresInSeconds: 600,
    }),
  )
  const { id } = await services.db.one('select id from outbox_message order by created_at desc limit 1')
  await deliver(services, createTransports(services), id)
  return id
}

/** Posts to the server by its public name. */
function post(path: string, headers: Record<string, string>, body: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const options = { method: 'POST', headers: { host: 'hapax.example', ...headers } }
    const sent = request(`${server.url}${path}`, options, async (answer) => {
      resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(await answer.toArray()).toString() })
    })
    sent.on('error', reject).end(body)
  })
}

/** Sends a report as Twilio does: a form signed over the public URL and the sorted parameters. Returns the status. */
async function report(id: string, fields: Record<string, string>, authToken = twilio.authToken): Promise<number> {
  const path = `/webhooks/twilio/${id}/`
  const sorted = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))
  const signed = `${publicUrl}${path}${sorted.map(([name, value]) => name + value).join('')}`
  const headers = {
    'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
    'x-twilio-signature': createHmac('sha1', authToken).update(signed).digest('base64'),
  }
  return (await post(path, headers, new URLSearchParams(fields).toString())).status
}

/** Asks for a code, as somebody who signs in or registers. */
async function begin(path = 'login/phone/begin'): Promise<{ status: number; body: unknown }> {
  const given = { phone_number: somePhone(), ...(path === 'register/begin' && { password: 'amber-kettle-92-orbit' }) }
  const headers = { 'content-type': 'application/json' }
  const { status, text } = await post(`/api/auth/${path}/`, headers, JSON.stringify(given))
  return { status, body: JSON.parse(text) }
}

const recipient = somePhone()
const written: string[] = []
const forget = () => server.services.db.none('delete from outbox_message')
const row = (id: string) => server.services.db.one('select status, last_error from outbox_message where id = $1', [id])
const dropped = {
  MessageStatus: 'undelivered',
  ErrorCode: '30034',
  MessageSid: `SM${'0'.repeat(32)}`,
  To: '+14155550100',
}

describe('a text', () => {
  it('uses the messaging service and requests delivery reports', async () => {
    const id = await sendText()
    expect(twilio.texts.at(-1)).toMatchObject({
      from: '',
      messagingServiceSid: messagingService,
      statusCallback: `${publicUrl}/webhooks/twilio/${id}/`,
    })
  })

  it('is marked failed and logged when a carrier drops it', async () => {
    const id = await sendText()
    expect(await report(id, dropped)).toBe(204)
    const last_error = expect.stringMatching(/^Twilio: undelivered, code 30034\. .*A2P 10DLC/)
    expect(await row(id)).toEqual({ status: 'failed', last_error })
    const line = server.logged.find((one) => one.includes(id) && one.includes('not delivered'))
    expect(line).toContain('A2P 10DLC')
    await forget()
  })

  it('stays sent when delivered', async () => {
    const id = await sendText()
    expect(await report(id, { MessageStatus: 'delivered' })).toBe(204)
    expect(await row(id)).toMatchObject({ status: 'sent' })
  })
})

describe('a text that Twilio refuses', () => {
  afterEach(async () => {
    Object.assign(twilio.account, { isApproved: true, countries: ['+'] })
    twilio.account.stopped.clear()
    await forget()
  })
  const failed = () =>
    server.services.db.one('select id, status, last_error from outbox_message order by created_at desc limit 1')

  it.each<[number, () => unknown, RegExp]>([
    [21408, () => (twilio.account.countries = ['+49']), /Geo permissions/],
    [21610, () => twilio.account.stopped.add(recipient), /answers START/],
    [21614, () => twilio.refuseNext(400, 21614), /landline/],
    [21612, () => twilio.refuseNext(400, 21612), /sender of its country/],
    [60001, () => twilio.refuseNext(400, 60001), /https:\/\/www\.twilio\.com\/docs\/api\/errors\/60001/],
  ])('for %s alone is given up, in words', async (code, refuse, words) => {
    refuse()
    await sendText(recipient)
    const { id, ...message } = await failed()
    expect(message).toEqual({ status: 'failed', last_error: expect.stringMatching(words) })
    expect(message.last_error).toContain(`Twilio: HTTP 400, code ${code}`)
    const line = JSON.parse(server.logged.find((one) => one.includes(id) && one.includes('given up'))!)
    expect(line).toMatchObject({ level: 'error', reason: message.last_error })
    expect((await begin()).status).toBe(200)
  })

  it.each<[number, number, RegExp]>([
    [21608, 400, /primary compliance profile/],
    [21606, 400, /TWILIO_MESSAGING_SERVICE_SID or TWILIO_FROM/],
    [20003, 401, /TWILIO_AUTH_TOKEN/],
    [20005, 403, /suspended/],
    [63038, 429, /limit/],
  ])('as every text is (%s) waits, and codes are not promised', async (code, status, words) => {
    expect((await begin()).status).toBe(200)
    twilio.account.isApproved = code !== 21608
    if (code !== 21608) twilio.refuseNext(status, code)
    await expect(sendText()).rejects.toMatchObject({ retryable: true })
    const { id, ...message } = await failed()
    expect(message).toEqual({ status: 'waiting', last_error: expect.stringMatching(words) })
    expect(
      JSON.parse(server.logged.findLast((one) => one.includes(id) && one.includes('cannot be sent'))!),
    ).toMatchObject({ level: 'warn', reason: message.last_error })
    for (const path of ['login/phone/begin', 'register/begin']) {
      expect(await begin(path)).toMatchObject({
        status: 503,
        body: { code: 'unavailable', detail: expect.stringContaining('texts') },
      })
    }
    await runAdmin(server.services, ['message', 'list'], { write: (text) => written.push(text), operator: 'op' })
    expect(written.at(-1)).toMatch(words)
    // The operator mends it: the same text leaves, and codes are sent again.
    twilio.account.isApproved = true
    await deliver(server.services, createTransports(server.services), id)
    expect((await begin()).status).toBe(200)
  })

  it('keeps its reason after it expired', async () => {
    twilio.account.isApproved = false
    await expect(sendText()).rejects.toThrow()
    const { id } = await failed()
    await server.services.db.none('update outbox_message set expires_at = now() where id = $1', [id])
    await deliver(server.services, createTransports(server.services), id)
    expect(await failed()).toMatchObject({ status: 'expired', last_error: expect.stringContaining('code 21608') })
    expect((await begin()).status).toBe(503)
  })

  it('by report is told before the next code', async () => {
    expect(await report(await sendText(), dropped)).toBe(204)
    expect((await begin()).status).toBe(503)
    await forget()
    expect(await report(await sendText(), { ...dropped, ErrorCode: '30006' })).toBe(204)
    expect((await begin()).status).toBe(200)
  })
})

describe('a report', () => {
  it('is ignored with another signature', async () => {
    const id = await sendText()
    expect(await report(id, dropped, 'another token')).toBe(401)
    expect(await row(id)).toMatchObject({ status: 'sent' })
  })

  it("is verified as in Twilio's documentation", () => {
    // The example of https://www.twilio.com/docs/usage/security, with its published signature.
    const form = new URLSearchParams({
      CallSid: 'CA1234567890ABCDE',
      Caller: '+14158675309',
      Digits: '1234',
      From: '+14158675309',
      To: '+18005551212',
    })
    const url = 'https://mycompany.com/myapp.php?foo=1&bar=2'
    expect(isSignedByTwilio('12345', url, form, 'RSOYDt4T1cUTdK1PDd93/VVr8B8=')).toBe(true)
    expect(isSignedByTwilio('12346', url, form, 'RSOYDt4T1cUTdK1PDd93/VVr8B8=')).toBe(false)
    expect(isSignedByTwilio('12345', url, form, '')).toBe(false)
  })
})
