import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiOf, parallel } from '#e2e/harness/api.ts'
import { freePorts } from '#e2e/harness/free-ports.ts'
import { register, somePhone } from '#e2e/harness/register.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { type SmtpSandbox, startSmtpSandbox } from '#server/infra/mail-sms/testing/smtp-server.ts'
import { startTwilioSandbox, type TwilioSandbox } from '#server/infra/mail-sms/testing/twilio-server.ts'
import { createLogWaiting, deliver, type Transports } from './deliver.ts'
import { DeliveryError, type Mail, type Message } from './message.ts'
import { enqueueMessage } from './outbox.ts'
import * as sql from './queries.ts'
import { smtpTransport } from './smtp.ts'
import { mailboxVerifiedMail, passwordResetMail, signupCodeText } from './templates.ts'
import { createTransports } from './transports.ts'

let smtp: SmtpSandbox
let twilio: TwilioSandbox
/** A real server whose jobs only wait; the tests run them. */
let server: TestServer
let transports: Transports
beforeAll(async () => {
  smtp = await startSmtpSandbox()
  twilio = await startTwilioSandbox()
  server = await startTestServer({
    works: false,
    environment: {
      SMTP_URL: smtp.url,
      MAIL_FROM: 'Hapax <hello@hapax.example>',
      TWILIO_URL: twilio.url,
      TWILIO_ACCOUNT_SID: twilio.accountSid,
      TWILIO_AUTH_TOKEN: twilio.authToken,
      TWILIO_FROM: '+14155559999',
    },
  })
  transports = createTransports(server.services)
})
afterAll(async () => {
  await server?.close()
  await smtp?.close()
  await twilio?.close()
})

const link = 'http://127.0.0.1/account/reset-password?token=hpxr_secret'
const mailTo = (to: string) => passwordResetMail(to, { url: link, isVerified: true, isSecured: true })

async function enqueue(
  message: Message,
  more: { dedupeKey?: string; expiresInSeconds?: number } = {},
): Promise<string> {
  await server.services.db.tx((tx) =>
    enqueueMessage(server.services, tx, { template: 'test', user_id: null, message, expiresInSeconds: 60, ...more }),
  )
  return (await server.services.db.one('select id from outbox_message order by created_at desc limit 1')).id
}
const run = (id: string) => deliver(server.services, transports, id)
const row = (id: string) => server.services.db.one('select * from outbox_message where id = $1', [id])

describe('mail', () => {
  it('is sent by SMTP with its id, then its content is erased', async () => {
    const id = await enqueue(mailTo('ada@example.com'))
    await run(id)
    const mail = smtp.mails.at(-1)!
    expect(mail).toMatchObject({ from: 'hello@hapax.example', to: ['ada@example.com'] })
    expect(mail.data).toContain(`Message-ID: <${id}@127.0.0.1>`)
    expect(mail.data).toContain('Subject: Set a new password')
    expect(mail.data).toContain('multipart/alternative')
    expect(mail.data).toContain('Auto-Submitted: auto-generated')
    expect(await row(id)).toMatchObject({ status: 'sent', encrypted_message: null, attempts: 1 })
  })

  it('never goes to another machine unencrypted', async () => {
    const before = smtp.mails.length
    const { send, close } = smtpTransport({ url: smtp.url, from: 'a@hapax.example', host: 'hapax', requireTls: true })
    await expect(send(mailTo('ada@example.com') as Mail, 'id')).rejects.toThrow(DeliveryError)
    close()
    expect(smtp.mails).toHaveLength(before)
  })

  it('shows hostile names and addresses as plain text', () => {
    const mail = mailboxVerifiedMail('ada@example.com', {
      removed: ['<img src=x onerror=alert(1)>', '"quoted" & \'single\''],
      kept: [],
      newPasswordUrl: null,
      isSecured: true,
      securityUrl: null,
    })
    expect(mail.html).not.toContain('<img')
    expect(mail.html).toContain('&#60;img')
  })
})

describe('texts', () => {
  it('are sent by the REST API', async () => {
    const phone = somePhone()
    await run(await enqueue(signupCodeText(phone, '123456')))
    expect(twilio.texts.at(-1)).toMatchObject({
      to: phone,
      from: '+14155559999',
      body: expect.stringContaining('123456'),
    })
  })
})

describe('the outbox', () => {
  it('holds no message of a rolled back transaction', async () => {
    const before = await server.services.db.one('select count(*) from outbox_message')
    await expect(
      server.services.db.tx(async (tx) => {
        await enqueueMessage(server.services, tx, {
          template: 'test',
          user_id: null,
          message: mailTo('x@example.com'),
          expiresInSeconds: 60,
        })
        throw new Error('the cause fails')
      }),
    ).rejects.toThrow()
    expect(await server.services.db.one('select count(*) from outbox_message')).toEqual(before)
  })

  it('holds one message per cause', async () => {
    const count = smtp.mails.length
    const ids = new Set(await parallel(8, () => enqueue(mailTo('once@example.com'), { dedupeKey: 'cause-1' })))
    for (const id of ids) await run(id)
    await server.services.db.any('select 1')
    expect(smtp.mails.slice(count).filter(({ to }) => to[0] === 'once@example.com')).toHaveLength(1)
  })

  it('sends once, however many workers take the job', async () => {
    const id = await enqueue(mailTo('workers@example.com'))
    const results = await parallel(8, () => run(id).catch((error: unknown) => error))
    // A worker that finds it claimed retries, since the claimant may have crashed.
    for (const result of results) if (result !== undefined) expect(result).toMatchObject({ retryable: true })
    await run(id)
    expect(smtp.mails.filter(({ to }) => to[0] === 'workers@example.com')).toHaveLength(1)
  })

  it.each([
    ['mail', '451 try later'],
    ['mail', '421 closing'],
  ])('keeps a %s that is refused for now (%s) and sends it later', async (_channel, line) => {
    const to = `later-${line.slice(0, 3)}@example.com`
    const id = await enqueue(mailTo(to))
    smtp.refuseNext(line)
    await expect(run(id)).rejects.toThrow(DeliveryError)
    expect(await row(id)).toMatchObject({ status: 'waiting', attempts: 1 })
    await run(id)
    expect(await row(id)).toMatchObject({ status: 'sent', attempts: 2 })
    expect(smtp.mails.filter((mail) => mail.to[0] === to)).toHaveLength(1)
  })

  it('keeps a text when the provider fails, limits or rejects us', async () => {
    for (const [status, code] of [
      [500, 20500],
      [429, 20429],
      [401, 20003],
    ] as const) {
      const id = await enqueue(signupCodeText(somePhone(), '123456'))
      twilio.refuseNext(status, code)
      await expect(run(id)).rejects.toThrow(DeliveryError)
      expect((await row(id)).status).toBe('waiting')
      await run(id)
      expect((await row(id)).status).toBe('sent')
    }
  })

  it('names the server and the cause once while messages wait, without a stack', async () => {
    const port = await freePorts(1)
    const { send, close } = smtpTransport({
      ...{ url: `smtp://user:hidden@127.0.0.1:${port}`, from: 'a@hapax.example', host: 'hapax', requireTls: false },
    })
    let nowMs = 0
    const logWaiting = createLogWaiting(server.services.log, () => nowMs)
    const ids = [await enqueue(mailTo('one@example.com')), await enqueue(mailTo('two@example.com'))]
    const since = server.logged.length
    const tryAll = async () => {
      for (const id of ids) {
        await expect(deliver(server.services, { mail: send, sms: null }, id, logWaiting)).rejects.toThrow()
      }
    }
    await tryAll()
    await tryAll()
    nowMs = 600_000
    await tryAll()
    close()
    const lines = server.logged
      .slice(since)
      .map((line) => JSON.parse(line))
      .filter(({ level }) => level !== 'debug')
    expect(lines.map(({ level, reason, skipped, err }) => ({ level, reason, skipped, err }))).toEqual(
      [0, 3].map((skipped) => ({
        level: 'warn',
        reason: `SMTP: ESOCKET at 127.0.0.1:${port}, connect ECONNREFUSED 127.0.0.1:${port}`,
        skipped,
        err: undefined,
      })),
    )
    expect(await row(ids[0]!)).toMatchObject({ last_error: lines[0].reason })
    expect(JSON.stringify(lines)).not.toMatch(/hidden|example\.com/)
    await server.services.db.none('delete from outbox_message where id = any($1)', [ids])
  })

  it('gives up on a final refusal, logs it and erases the content', async () => {
    const mail = await enqueue(mailTo('nobody@example.com'))
    smtp.refuseNext('550 no such mailbox')
    await run(mail)
    const text = await enqueue(signupCodeText(somePhone(), '123456'))
    twilio.refuseNext(400, 21211)
    await run(text)
    for (const id of [mail, text]) {
      expect(await row(id)).toMatchObject({ status: 'failed', encrypted_message: null })
      expect(server.logged.some((line) => line.includes(id) && line.includes('given up'))).toBe(true)
    }
  })

  it('does not send expired messages', async () => {
    const id = await enqueue(mailTo('late@example.com'))
    await server.services.db.none("update outbox_message set expires_at = now() - interval '1 second' where id = $1", [
      id,
    ])
    await run(id)
    expect(await row(id)).toMatchObject({ status: 'expired', encrypted_message: null })
    expect(smtp.mails.some(({ to }) => to[0] === 'late@example.com')).toBe(false)
  })

  it("sends a crashed worker's message again under the same id", async () => {
    const id = await enqueue(mailTo('died@example.com'))
    const { db } = server.services
    const sent = () => smtp.mails.filter(({ data }) => data.includes(id))
    // The claim that the worker left behind.
    await db.one(sql.claimMessage({ id }))
    // The queue hands the job on long before the claim expires; it must not end without the message.
    await expect(run(id)).rejects.toMatchObject({ retryable: true })
    expect(sent()).toEqual([])
    await db.none("update outbox_message set claimed_until = claimed_until - interval '1 minute' where id = $1", [id])
    await run(id)
    expect(sent()).toHaveLength(1)
  })

  it('retries at least once a minute until expiry', async () => {
    await enqueue(mailTo('patient@example.com'))
    const job = await server.services.db.one(
      "select retry_limit, retry_delay_max from jobs.job where name = 'deliver' order by created_on desc limit 1",
    )
    expect(job.retry_delay_max).toBe(60)
    expect(job.retry_limit).toBeGreaterThan((7 * 24 * 3_600) / 60)
  })

  it('stores addresses, links and codes encrypted', async () => {
    await enqueue(mailTo('canary@example.com'))
    const dump = JSON.stringify(
      await server.services.db.any("select *, encode(encrypted_message, 'escape') as raw from outbox_message"),
    )
    const jobs = JSON.stringify(await server.services.db.any("select * from jobs.job where name = 'deliver'"))
    for (const secret of ['canary@example.com', 'hpxr_secret', '123456 is']) {
      expect(dump).not.toContain(secret)
      expect(jobs).not.toContain(secret)
      expect(server.logged.join()).not.toContain(secret)
    }
  })
})

describe('end to end', () => {
  it('delivers a reset link and a code, and keeps nothing', async () => {
    const whole = await startTestServer({
      environment: {
        SMTP_URL: smtp.url,
        TWILIO_URL: twilio.url,
        TWILIO_ACCOUNT_SID: twilio.accountSid,
        TWILIO_AUTH_TOKEN: twilio.authToken,
        TWILIO_FROM: '+14155559999',
      },
    })
    try {
      const api = apiOf(whole.url)
      const account = await register(api)
      const phone = somePhone()
      await api('POST', '/api/auth/password/reset/request/', { body: { email: account.email } })
      const begun = await api('POST', '/api/auth/register/begin/', { body: { phone_number: phone } })
      const mailed = () =>
        smtp.mails.find(({ to, data }) => to[0] === account.email && data.includes('Subject: Set a new password'))
      const texted = () => twilio.texts.find(({ to }) => to === phone)
      await expect.poll(() => mailed() && texted()).toBeTruthy()
      const code = /\d{6}/.exec(texted()!.body)![0]
      const body = { signup_token: begun.body.signup_token, code }
      expect((await api('POST', '/api/auth/register/verify/', { body })).status).toBe(201)
      const kept = () => whole.services.db.any('select status, encrypted_message from outbox_message')
      // Including the mail of the registration.
      await expect.poll(kept).toEqual([
        { status: 'sent', encrypted_message: null },
        { status: 'sent', encrypted_message: null },
        { status: 'sent', encrypted_message: null },
      ])
    } finally {
      await whole.close()
    }
  })
})

describe('the sandbox', () => {
  it('shows messages to this machine only', async () => {
    const sandbox = await startTestServer({ works: false, environment: { SANDBOX: 'on' } })
    try {
      await sandbox.services.db.tx((tx) =>
        enqueueMessage(sandbox.services, tx, {
          template: 'test',
          user_id: null,
          message: mailTo('<script>@example.com'),
          expiresInSeconds: 60,
        }),
      )
      const { id } = await sandbox.services.db.one('select id from outbox_message')
      await deliver(sandbox.services, { mail: null, sms: null }, id)
      const [message] = (await apiOf(sandbox.url)('GET', '/sandbox/outbox')).body
      expect(message).toMatchObject({
        id,
        channel: 'mail',
        to: '<script>@example.com',
        status: 'sent',
        text: expect.stringContaining(link),
      })
      const page = await (await fetch(`${sandbox.url}/sandbox/`)).text()
      expect(page).not.toContain('<script>')
      expect(page).toContain(`href="${link}"`)
      // A proxy on this machine forwards for others.
      for (const path of ['/sandbox/', '/sandbox/outbox']) {
        const proxied = await fetch(`${sandbox.url}${path}`, { headers: { 'x-forwarded-for': '203.0.113.9' } })
        expect(proxied.status).toBe(404)
      }
    } finally {
      await sandbox.close()
    }
    for (const path of ['/sandbox/', '/sandbox/outbox']) expect((await fetch(`${server.url}${path}`)).status).toBe(404)
  })
})
