import { createHmac } from 'node:crypto'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { somePhone } from '#e2e/harness/register.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { deliver } from '#server/infra/mail-sms/deliver.ts'
import { enqueueMessage } from '#server/infra/mail-sms/outbox.ts'
import { signupCodeText } from '#server/infra/mail-sms/templates.ts'
import { createTransports } from '#server/infra/mail-sms/transports.ts'
import { isSignedByTwilio } from '#server/infra/mail-sms/twilio.ts'
import { startTwilioSandbox, type TwilioSandbox } from '#server/sandbox/twilio.ts'

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
async function sendText(): Promise<string> {
  const { services } = server
  await services.db.tx((tx) =>
    enqueueMessage(services, tx, {
      template: 'signup-code',
      user_id: null,
      message: signupCodeText(somePhone(), '123456'),
      expiresInSeconds: 600,
    }),
  )
  const { id } = await services.db.one('select id from outbox_message order by created_at desc limit 1')
  await deliver(services, createTransports(services), id)
  return id
}

/** Sends a report as Twilio does: a form signed over the public URL and the sorted parameters. Returns the status. */
function report(id: string, fields: Record<string, string>, authToken = twilio.authToken): Promise<number> {
  const sorted = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))
  const signed = `${publicUrl}/webhooks/twilio/${id}/${sorted.map(([name, value]) => name + value).join('')}`
  return new Promise((resolve, reject) => {
    const headers = {
      host: 'hapax.example',
      'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
      'x-twilio-signature': createHmac('sha1', authToken).update(signed).digest('base64'),
    }
    const sent = request(`${server.url}/webhooks/twilio/${id}/`, { method: 'POST', headers }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
    })
    sent.on('error', reject).end(new URLSearchParams(fields).toString())
  })
}

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
    expect(await row(id)).toEqual({ status: 'failed', last_error: 'Twilio: undelivered, code 30034' })
    const line = server.logged.find((one) => one.includes(id) && one.includes('not delivered'))
    expect(line).toContain('A2P 10DLC')
  })

  it('stays sent when delivered', async () => {
    const id = await sendText()
    expect(await report(id, { MessageStatus: 'delivered' })).toBe(204)
    expect(await row(id)).toMatchObject({ status: 'sent' })
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
