import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { until } from '#e2e/harness/until.ts'
import { openJobs } from '#server/infra/jobs/index.ts'
import { waysIn } from '#server/infra/ways-in/ways-in.ts'
import { decideMail } from './deciding/decide-mail.ts'
import { saleMailRoom } from './room.ts'
import { NoRoomError, type SaleMailJob, storeMail } from './store-mail.ts'
import { type MailSeller, useSaleMail } from './testing/harness.ts'
import { capturedMail, sign } from './testing/signed-mail.ts'
import { openSmtp } from './testing/smtp-client.ts'
import { startSmtpListener } from './ways-in/smtp-listener.ts'

let isDiskLow = false
const harness = useSaleMail({
  works: false,
  async prepare(services) {
    services.disk = { isLow: () => isDiskLow, refuseIfLow() {}, async stop() {} }
  },
})
const { build, list } = harness
const servicesOf = () => harness.server.services
const dbOf = () => servicesOf().db

const listeners: { stop(): Promise<void> }[] = []
afterEach(async () => {
  isDiskLow = false
  await Promise.all(listeners.splice(0).map((listener) => listener.stop()))
})

async function listen(limits: Parameters<typeof startSmtpListener>[2]): Promise<number> {
  const listener = await startSmtpListener(servicesOf(), 0, limits)
  listeners.push(listener)
  return listener.port
}

const junk = 'From: a@example.com\r\nSubject: x\r\n\r\nx\r\n'
const store = ({ user_id }: Pick<MailSeller, 'user_id'>, mail = junk, size = mail.length, network?: string) =>
  dbOf().tx((tx) => storeMail(servicesOf(), tx, { user_id, via: 'smtp', raw: Buffer.from(mail), size, network }))
const mailsOf = ({ user_id }: MailSeller) =>
  dbOf().any('select uid, outcome, encrypted_mail from sale_mail where user_id = $1 order by uid', [user_id])
const decideAll = async (seller: MailSeller, network?: string) => {
  for (const { uid } of await mailsOf(seller)) await decideMail(servicesOf(), { ...seller, uid, network })
}
const saleOf = async (seller: MailSeller) =>
  sign(capturedMail('poshmark-sale', { to: seller.email }), { domain: 'poshmark.com' })

describe('a mail whose reading takes too long', () => {
  afterEach(() => vi.restoreAllMocks())
  /** The time of a thread is over before it begins. */
  const beLate = () => vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort())

  it('is tried again', async () => {
    const seller = await build()
    await list(seller, { title: 'Wool Peacoat Navy Vintage 70s', price_minor: 6_400 })
    await store(seller, await saleOf(seller))
    const late = beLate()
    await decideAll(seller)
    late.mockRestore()
    expect(await mailsOf(seller)).toMatchObject([{ outcome: null }])
    const [{ uid }] = await mailsOf(seller)
    const jobs = await dbOf().any("select start_after > now() as waits from jobs.job where data->>'uid' = $1", [uid])
    expect(jobs).toEqual(expect.arrayContaining([{ waits: true }]))
    await decideAll(seller)
    expect(await mailsOf(seller)).toMatchObject([{ outcome: 'held' }])
  })

  it('is refused after an hour', async () => {
    const seller = await build()
    await store(seller, await saleOf(seller))
    await dbOf().none("update sale_mail set received_at = now() - interval '61 minutes' where user_id = $1", [
      seller.user_id,
    ])
    beLate()
    await decideAll(seller)
    vi.restoreAllMocks()
    expect(await harness.messagesOf(seller)).toMatchObject([{ outcome: 'refused', reason: 'malformed' }])
  })
})

describe('the day of an account', () => {
  it('has room for so many bytes, and one mail more is refused', async () => {
    const seller = await build()
    const most = waysIn.smtp.kept.bytes / 1_000_000
    for (let n = 0; n < most; n++) await store(seller, junk, 1_000_000)
    await expect(store(seller)).rejects.toThrow(NoRoomError)
    expect(await mailsOf(seller)).toHaveLength(most)
    const other = await build()
    const smtp = await openSmtp(harness.smtpPort)
    for (const [line, code] of [
      ['EHLO a.example', 250],
      ['MAIL FROM:<a@example.com>', 250],
      [`RCPT TO:<${seller.address}>`, 452],
      [`RCPT TO:<${other.address}>`, 250],
      ['DATA', 354],
      [`${junk}.`, 250],
    ] as const)
      expect(await smtp.say(line)).toBe(code)
    smtp.close()
    expect(await mailsOf(other)).toHaveLength(1)
    await expect(harness.send(seller.address, junk)).rejects.toMatchObject({ responseCode: 452 })
    const alerts = await dbOf().any("select user_id, message from alert where reference like 'mails:%'")
    expect(alerts).toEqual([{ user_id: seller.user_id, message: expect.stringContaining('takes no more for a day') }])
    // A day goes by.
    await dbOf().none("update request_count set ends_at = ends_at - interval '1 day' where subject like 'mails:%'")
    await store(seller)
  })

  it('has room for so many mails', async () => {
    const seller = await build()
    const { count } = waysIn.smtp.kept
    await store(seller)
    await dbOf().none("update request_count set ends_at = ends_at + $1 * interval '1 second' where subject = $2", [
      (86_400 * (count - 2)) / count,
      `mails:${seller.user_id}`,
    ])
    await store(seller)
    await expect(store(seller)).rejects.toThrow(NoRoomError)
  })

  it('keeps no refused mail, and one that a sale depends on', async () => {
    const seller = await build()
    await list(seller, { title: 'Wool Peacoat Navy Vintage 70s', price_minor: 6_400 })
    await store(seller)
    await store(seller, await saleOf(seller))
    await decideAll(seller)
    expect(await mailsOf(seller)).toEqual([
      { uid: expect.any(String), outcome: 'refused', encrypted_mail: null },
      { uid: expect.any(String), outcome: 'held', encrypted_mail: expect.any(Buffer) },
    ])
  })
})

describe('a disk that is nearly full', () => {
  it('refuses mails until there is room', async () => {
    const seller = await build()
    isDiskLow = true
    await expect(harness.send(seller.address, junk)).rejects.toMatchObject({ responseCode: 452 })
    isDiskLow = false
    await harness.send(seller.address, junk)
    expect(await mailsOf(seller)).toHaveLength(1)
  })

  it('in the middle of a mail loses nothing', async () => {
    const seller = await build()
    await list(seller, { title: 'Wool Peacoat Navy Vintage 70s', price_minor: 6_400 })
    const mail = await saleOf(seller)
    const smtp = await openSmtp(harness.smtpPort)
    const begin = async () => {
      for (const line of ['EHLO a.example', 'MAIL FROM:<a@example.com>', `RCPT TO:<${seller.address}>`, 'DATA'])
        expect(await smtp.say(line)).toBeLessThan(400)
      smtp.write(mail.slice(0, 500))
    }
    await begin()
    isDiskLow = true
    smtp.write(mail.slice(500))
    expect(await smtp.say('.')).toBe(452)
    expect(await mailsOf(seller)).toEqual([])
    isDiskLow = false
    await begin()
    smtp.write(mail.slice(500))
    expect(await smtp.say('.')).toBe(250)
    smtp.close()
    await decideAll(seller)
    expect(await mailsOf(seller)).toMatchObject([{ outcome: 'held' }])
  })
})

describe('the turns of accounts', () => {
  it("let a mail pass hundreds of others' mails", async () => {
    const greedy = await Promise.all(Array.from({ length: 10 }, () => build([])))
    const modest = await build([])
    await dbOf().tx(async (tx) => {
      const raw = Buffer.from(junk)
      for (const seller of [...greedy.flatMap((one) => Array.from({ length: 40 }, () => one)), modest])
        await storeMail(servicesOf(), tx, { user_id: seller.user_id, via: 'smtp', raw, size: raw.length })
    })
    const { config, log } = servicesOf()
    const decided: number[] = []
    const jobs = await openJobs({ url: config.DATABASE_URL!, works: true, log, max: 4 })
    await jobs.register(
      ...saleMailRoom.jobs(servicesOf()).map((kind) => ({
        ...kind,
        async run(job: SaleMailJob) {
          decided.push(job.user_id)
          await kind.run(job)
        },
      })),
    )
    await until(() => decided.includes(modest.user_id)).finally(() => jobs.stop())
    const before = decided.slice(0, decided.indexOf(modest.user_id))
    expect(before.filter((id) => greedy.some(({ user_id }) => user_id === id)).length).toBeLessThan(30)
  })

  it('come later for an account whose mails are mostly refused', async () => {
    const [greedy, modest] = [await build([]), await build([])]
    for (let n = 0; n < 11; n++) await store(greedy)
    await decideAll(greedy)
    await dbOf().none('delete from request_count where subject = $1', [`mails:${greedy.user_id}`])
    for (const seller of [greedy, modest]) await store(seller)
    const last = ({ user_id }: MailSeller) =>
      dbOf().one<{ priority: number }>(
        "select priority from jobs.job where name = 'sale-mail' and group_id = $1 order by created_on desc limit 1",
        [String(user_id)],
      )
    expect((await last(modest)).priority).toBeGreaterThan((await last(greedy)).priority)
  })
})

describe('the connections to the database', () => {
  it('are not all taken by mails that wait for each other', async () => {
    const [greedy, modest] = [await build([]), await build([])]
    await store(greedy)
    const port = await listen(waysIn.smtp)
    /** Delivers from an address, and resolves with the last code. */
    const deliver = async ({ address }: MailSeller, from: string) => {
      const smtp = await openSmtp(port, from)
      for (const line of ['EHLO a.example', 'MAIL FROM:<a@example.com>', `RCPT TO:<${address}>`, 'DATA'])
        await smtp.say(line)
      return smtp.say(`${junk}.`).finally(() => smtp.close())
    }
    await dbOf().tx(async (tx) => {
      await tx.any('select from request_count where subject = $1 for update', [`mails:${greedy.user_id}`])
      const many = Array.from({ length: 40 }, (_, n) => deliver(greedy, `127.0.0.${60 + Math.floor(n / 20)}`))
      const waiting = () =>
        tx.one(`select count(distinct pid)::integer from pg_locks where not granted and pid in (
          select pid from pg_locks join pg_database on oid = database where datname = current_database())`)
      await until(async () => (await waiting()).count > 1)
      // The others come no further.
      await wait(500)
      expect((await waiting()).count).toBe(2)
      expect(await deliver(modest, '127.0.0.70')).toBe(250)
      void Promise.allSettled(many)
    })
  })
})

describe('the places of the listener', () => {
  const few = { giveUpMs: 60_000, atOnce: { all: 30, each: 5 } }

  it('are counted by network', async () => {
    const port = await listen(few)
    const open = await Promise.all(Array.from({ length: 6 }, () => openSmtp(port, '127.0.0.7')))
    expect(open.map(({ greeting }) => greeting).sort()).toEqual([220, 220, 220, 220, 220, 421])
    const other = await openSmtp(port, '127.0.0.8')
    expect(other.greeting).toBe(220)
    for (const { close } of [...open, other]) close()
  })

  it('are kept for networks that brought believed mail', async () => {
    const seller = await build()
    await list(seller, { title: 'Wool Peacoat Navy Vintage 70s', price_minor: 6_400 })
    await store(seller, await saleOf(seller))
    await decideAll(seller, '127.0.0.20')
    const port = await listen(few)
    const open = []
    for (let n = 0; n < 10; n++) open.push(await openSmtp(port, `127.0.0.${30 + Math.floor(n / 5)}`))
    expect(open.map(({ greeting }) => greeting)).toEqual(Array(10).fill(220))
    const [stranger, known] = [await openSmtp(port, '127.0.0.40'), await openSmtp(port, '127.0.0.20')]
    expect([stranger.greeting, known.greeting]).toEqual([421, 220])
    for (const { close } of [...open, stranger, known]) close()
  })

  it('are lost without a mail, whatever else is said', async () => {
    const port = await listen({ ...few, giveUpMs: 600 })
    const smtp = await openSmtp(port)
    await smtp.say('EHLO a.example')
    const noops = setInterval(() => smtp.write('NOOP\r\n'), 50)
    const codes = []
    for (let code = await smtp.answer(); code !== null; code = await smtp.answer()) codes.push(code)
    clearInterval(noops)
    expect(codes).toContain(421)
  })

  it('are lost after very many commands, which the log tells once', async () => {
    const port = await listen(few)
    const smtp = await openSmtp(port, '127.0.0.50')
    await smtp.say('EHLO a.example')
    await smtp.say('MAIL FROM:<a@example.com>')
    expect(await smtp.say('RCPT TO:<somebody@in.hapax.example>')).toBe(550)
    const codes = []
    smtp.write('NOOP\r\n'.repeat(200))
    for (let code = await smtp.answer(); code !== null; code = await smtp.answer()) codes.push(code)
    expect(codes.length).toBeLessThanOrEqual(100)
    expect(codes.at(-1)).toBe(421)
    const lines = () =>
      harness.server.logged.filter((line) => line.includes('127.0.0.50')).map((line) => JSON.parse(line))
    await until(() => lines().length > 0)
    expect(lines()).toMatchObject([
      { network: '127.0.0.50', mails: 0, refused: { 421: 1, 550: 1 }, msg: waysIn.smtp.logged },
    ])
    expect(JSON.stringify(lines())).not.toContain('somebody')
  })
})
