import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { apiOf } from '#e2e/harness/api.ts'
import { until } from '#e2e/harness/until.ts'
import type { ClaimWorker } from '#server/infra/jobs/claim-worker.ts'
import type { AuditEntry } from '#shared/contract/account/audit.ts'
import { useSaleMail } from '../testing/harness.ts'
import { type ImapServer, imapAccess, startImapServer } from '../testing/imap-server.ts'
import { capturedMail, sign } from '../testing/signed-mail.ts'
import { startMailboxWorker } from '../worker.ts'

const harness = useSaleMail({
  times: { mailboxBeatMs: 100, mailboxOpenMs: 2_000 },
})
const { build, list, call, messagesOf, stateOf } = harness
let imap: ImapServer
let worker: ClaimWorker | null = null
beforeAll(async () => {
  imap = await startImapServer()
})
afterEach(async () => {
  await worker?.stop()
  worker = null
})
afterAll(() => imap?.close())

type Seller = Awaited<ReturnType<typeof build>>
const start = () => {
  worker = startMailboxWorker(harness.server.services, { pollMs: 50 })
}
const put = (seller: Seller, given: object = {}) => call(seller, 'PUT', 'mailbox/', { ...imapAccess(imap), ...given })
const remove = (seller: Seller) => call(seller, 'DELETE', 'mailbox/')
const mailbox = async (seller: Seller) => (await call(seller, 'GET', '')).body.mailbox
const isWaiting = (seller: Seller) => until(async () => (await mailbox(seller))?.state === 'waiting')
const camera = { title: 'Film Camera Compact 35mm', price_minor: 12_000 }
const saleMail = async (to: string, title = camera.title) =>
  sign(
    capturedMail('mercari-sale', { to })
      .replaceAll(camera.title, title)
      .replace(/ID: m\d+/g, 'ID:'),
    { domain: 'alerts.us.mercari.com' },
  )

describe('a mailbox', () => {
  it('is tried first, and refused without the words of the server', async () => {
    const seller = await build()
    const refused = (detail: unknown) => ({
      status: 400,
      body: { code: 'mailbox_refused', detail },
    })
    const wrong = 'The mail server refused the name or the password. Gmail, iCloud and Yahoo need an app password.'
    expect(await put(seller, { password: 'wrong' })).toMatchObject(refused(wrong))
    expect(await put(seller, { folder: 'Absent' })).toMatchObject(refused('The mail server does not open this folder.'))
    const unreachable = 'No mail server answers at this host and port with this encryption.'
    expect(await put(seller, { tls: 'implicit' })).toMatchObject(refused(unreachable))
    expect(await put(seller, { tls: 'starttls' })).toMatchObject(refused(unreachable))
    expect(await put(seller, { port: 1_025 })).toMatchObject(refused(unreachable))
    expect(await put(seller, { port: harness.smtpPort })).toMatchObject(refused(unreachable))
    expect(await mailbox(seller)).toBeNull()
  })

  it.each(['10.0.0.1', '192.168.1.9', '169.254.169.254', 'mail.internal', 'intranet'])(
    'is refused at the private host %s, as a webhook is',
    async (host) => {
      const { status, body } = await put(await build(), {
        host,
        tls: 'implicit',
        port: 993,
      })
      expect([status, body.code, body.errors?.[0]?.code]).toEqual([400, 'invalid_request', 'not_allowed'])
    },
  )

  it('is refused at ports of other services', async () => {
    const seller = await build()
    for (const port of [22, 25, 80, 443, 995, 1_024, 8_993]) {
      const { status, body } = await put(seller, {
        host: 'imap.example.com',
        tls: 'implicit',
        port,
      })
      expect([status, body.errors?.[0]]).toMatchObject([400, { code: 'not_allowed' }])
    }
  })

  it('is tried ten times an hour by an account', async () => {
    const seller = await build()
    for (let n = 0; n < 10; n++) await put(seller, { user: `w${n}` })
    const { status, body } = await put(seller)
    expect([status, body.code]).toEqual([429, 'rate_limited'])
    const other = await build()
    expect((await put(other)).status).toBe(200)
    await remove(other)
    const { body: trail } = await apiOf(harness.server.url)('GET', '/api/v1/user/audit/', { headers: seller.bearer })
    const entries = trail.results.map(({ action, outcome, times }: AuditEntry) => [action, outcome, times])
    expect(entries).toContainEqual(['mailbox.saved', 'mailbox_refused', 10])
    expect(entries).toContainEqual(['mailbox.saved', 'rate_limited', 1])
  })

  it('is guessed at ten times an hour by all accounts', async () => {
    const sellers = [await build(), await build(), await build()]
    const spellings = [{}, { user: 'Victim@Example.com' }, { host: 'localhost' }]
    const guesses = Array.from({ length: 12 }, (_, n) =>
      put(sellers[n % 3]!, {
        user: 'victim@example.com',
        password: `p${n}`,
        ...spellings[n % 3],
      }),
    )
    const codes = (await Promise.all(guesses)).map(({ body }) => body.code)
    expect(codes.filter((code) => code === 'mailbox_refused')).toHaveLength(10)
    expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(2)
  })

  it('is audited when it is added and forgotten', async () => {
    const seller = await build()
    await put(seller)
    await remove(seller)
    const { body } = await apiOf(harness.server.url)('GET', '/api/v1/user/audit/', { headers: seller.bearer })
    const actions = body.results.map(({ action, outcome }: AuditEntry) => `${action} ${outcome}`)
    expect(actions).toEqual(expect.arrayContaining(['mailbox.saved ok', 'mailbox.deleted ok']))
  })

  it('never shows its password, and is forgotten', async () => {
    const seller = await build()
    expect(await put(seller)).toMatchObject({
      status: 200,
      body: {
        host: '127.0.0.1',
        user: 'wilma',
        folder: 'Sales',
        state: 'connecting',
        last_error: null,
      },
    })
    expect(JSON.stringify((await call(seller, 'GET', '')).body)).not.toContain('app password')
    expect(JSON.stringify(harness.server.logged)).not.toContain('app password')
    expect(await remove(seller)).toMatchObject({ status: 204 })
    expect(await mailbox(seller)).toBeNull()
    expect(await remove(seller)).toMatchObject({ status: 404 })
  })

  it('brings mails of the last days, then each new one at once over one connection', async () => {
    const seller = await build()
    const [old, recent, later] = [
      await list(seller, { ...camera, title: 'Old camera' }),
      await list(seller, { ...camera, title: 'Recent camera' }),
      await list(seller, { ...camera, title: 'Later camera' }),
    ]
    imap.add(await saleMail(seller.email, 'Old camera'), {
      date: new Date(Date.now() - 6 * 86_400_000),
    })
    imap.add('From: A friend <friend@example.com>\r\nSubject: Lunch\r\n\r\nTomorrow?')
    imap.add(await saleMail(seller.email, 'Recent camera'))
    await put(seller)
    start()
    await isWaiting(seller)
    await until(async () => (await stateOf(recent)) === 'reserved')
    imap.add(await saleMail(seller.email, 'Later camera'))
    await until(async () => (await stateOf(later)) === 'reserved')
    expect(await stateOf(old)).toBe('available')
    expect(await messagesOf(seller)).toHaveLength(2)
    expect(imap.connections()).toBe(1)
    expect(imap.commands).toContain('IDLE')
    expect(new Set(imap.commands).has('SELECT')).toBe(false)
    await remove(seller)
  })

  it.each(['gmail', 'dovecot', 'exchange', 'yahoo'] as const)('is read at a server like that of %s', async (flavor) => {
    const server = await startImapServer(flavor)
    const seller = await build()
    const item = await list(seller, { ...camera, title: `Camera at ${flavor}` })
    server.add(await saleMail(seller.email, `Camera at ${flavor}`))
    expect((await call(seller, 'PUT', 'mailbox/', imapAccess(server))).status).toBe(200)
    start()
    await until(async () => (await stateOf(item)) === 'reserved')
    expect(server.commands).not.toContain('COMPRESS')
    await remove(seller)
    await server.close()
  })

  it('is passed over a mail whose header never ends', async () => {
    const seller = await build()
    const server = await startImapServer()
    const item = await list(seller, { ...camera, title: 'Behind it' })
    server.add(`From: A <a@example.com>\r\nSubject: ${'x'.repeat(1_100_000)}\r\n\r\nHello`)
    server.add(await saleMail(seller.email, 'Behind it'))
    await call(seller, 'PUT', 'mailbox/', imapAccess(server))
    start()
    const again = async () => {
      await harness.server.services.db.none('update sale_mailbox set next_try_at = now() where next_try_at > now()')
      return stateOf(item)
    }
    await until(again, (state) => state === 'reserved')
    await remove(seller)
    await server.close()
  })

  it('is caught up after a cut, and after the folder was made anew', async () => {
    const seller = await build()
    await put(seller)
    start()
    await isWaiting(seller)
    await worker!.stop()
    const meanwhile = await list(seller, { ...camera, title: 'Meanwhile' })
    imap.add(await saleMail(seller.email, 'Meanwhile'))
    start()
    await until(async () => (await stateOf(meanwhile)) === 'reserved')
    await until(() => imap.connections() > 0)
    imap.cut()
    await until(async () => (await mailbox(seller)).state === 'failed')
    expect((await mailbox(seller)).last_error).toEqual(expect.any(String))
    imap.renumber()
    await harness.server.services.db.none('update sale_mailbox set next_try_at = now()')
    await isWaiting(seller)
    const outcomes = async () => (await messagesOf(seller)).map(({ outcome, reason }) => reason ?? outcome)
    const all = await until(outcomes, (some) => some.includes('replayed'))
    expect(all.filter((outcome) => outcome === 'held')).toHaveLength(1)
    await remove(seller)
  })

  it('ends its connection when it is forgotten or its lease is lost', async () => {
    const seller = await build()
    await put(seller)
    start()
    await isWaiting(seller)
    await until(() => imap.connections() === 1)
    await put(seller)
    await until(async () => (await mailbox(seller)).state === 'waiting')
    await remove(seller)
    await until(() => imap.connections() === 0)
  })

  it('of an account that had enough mails waits, and the seller is told', async () => {
    const [server, seller] = [await startImapServer(), await build()]
    const { db } = harness.server.services
    await db.none("insert into request_count (subject, count, ends_at) values ($1, 2000, now() + interval '1 day')", [
      `mails:${seller.user_id}`,
    ])
    await put(seller, imapAccess(server))
    server.add(await saleMail(seller.email))
    start()
    const alerts = () => db.any('select message from alert where user_id = $1', [seller.user_id])
    await until(alerts, (all) => all.length === 1)
    expect(await alerts()).toEqual([{ message: expect.stringContaining('takes no more for a day') }])
    expect((await mailbox(seller)).last_error).toMatch(/Too many mails/)
    await remove(seller)
    await server.close()
  })

  it('shows why it fails and is tried again', async () => {
    const seller = await build()
    await put(seller)
    imap.refuseWith('[AUTHENTICATIONFAILED] The app password was revoked')
    start()
    await until(async () => (await mailbox(seller)).state === 'failed')
    expect((await mailbox(seller)).last_error).toMatch(/^The mail server refused the name or the password/)
    imap.refuseWith(null)
    await harness.server.services.db.none('update sale_mailbox set next_try_at = now()')
    await isWaiting(seller)
    expect(await mailbox(seller)).toMatchObject({
      last_error: null,
      checked_at: expect.any(String),
    })
    await remove(seller)
  })
})
