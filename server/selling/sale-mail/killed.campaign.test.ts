import nodemailer from 'nodemailer'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { atEachBorder, endAt, endIdleTransactions, freezeAt, openBorders } from '#e2e/harness/campaigns/borders.ts'
import { checkInvariants } from '#e2e/harness/campaigns/invariants.ts'
import { until } from '#e2e/harness/until.ts'
import type { Services } from '#server/services.ts'
import { decideMail } from './deciding/decide-mail.ts'
import * as sql from './queries.ts'
import { storeMail } from './store-mail.ts'
import { type MailSeller, useSaleMail } from './testing/harness.ts'
import { type ImapServer, imapAccess, startImapServer } from './testing/imap-server.ts'
import { capturedMail, sign } from './testing/signed-mail.ts'
import { startSmtpListener } from './ways-in/smtp-listener.ts'
import { mailboxLeaseSeconds, watchMailbox } from './ways-in/watch-mailbox.ts'

const harness = useSaleMail({ works: false })
const { build, list, stateOf } = harness
const servicesOf = () => harness.server.services
const dbOf = () => servicesOf().db

const hourAgo = () => new Date(Date.now() - 3_600_000)
const coat = { title: 'Wool Peacoat Navy Vintage 70s', price_minor: 6_400, sku: 'COAT-0042' }
const scarf = { title: 'Silk Scarf Floral 60s', price_minor: 1_200 }
const mailFor = (seller: MailSeller, name: string, date = new Date()) =>
  sign(capturedMail(name, { to: seller.email, date }), { domain: 'poshmark.com' })

/** Stores a mail as a way in does, and returns the job that decides it. */
async function store({ user_id }: MailSeller, mail: string) {
  const raw = Buffer.from(mail)
  await dbOf().tx((tx) => storeMail(servicesOf(), tx, { user_id, via: 'smtp', raw, size: raw.length }))
  const { uid } = await dbOf().one('select uid from sale_mail where user_id = $1 order by uid desc limit 1', [user_id])
  return { user_id, uid }
}

/** Returns everything that the mails of a seller have caused. */
const effectsOf = ({ user_id }: MailSeller) =>
  dbOf().one(
    `select
       (select array_agg(outcome order by uid) from sale_mail where user_id = $1) as mails,
       (select array_agg(cardinality(item_uids) order by uid) from sale_mail where user_id = $1) as named,
       (select array_agg(to_state order by item_uid, version) from inventory_history where user_id = $1 and witness = 'mail') as moves,
       (select count(*)::integer from listing_operation where user_id = $1 and kind = 'delist') as operations,
       (select array_agg(status order by uid) from extension_task where user_id = $1 and kind = 'delist') as tasks,
       (select array_agg(kind order by kind) from alert where user_id = $1 and kind in ('sale_unclear', 'relist_offer')) as alerts,
       (select count(*)::integer from event where user_id = $1 and type = 'item.state_changed') as events`,
    [user_id],
  )

type Decide = (job: { user_id: number; uid: string }, border: number) => Promise<readonly string[]>

const dies: Decide = async (job, border) => {
  const worker = openBorders(servicesOf(), { at: endAt(border) })
  await worker.run((services) => decideMail(services, job))
  await worker.close()
  await decideMail(servicesOf(), job)
  return worker.crossed
}

const isFrozen: Decide = async (job, border) => {
  const { at, isFrozen, wake } = freezeAt(border)
  const worker = openBorders(servicesOf(), { at })
  const running = worker.run((services) => decideMail(services, job)).catch(() => null)
  await Promise.race([isFrozen, running])
  await endIdleTransactions(dbOf())
  await decideMail(servicesOf(), job)
  wake()
  await running
  await worker.close()
  return worker.crossed
}

const stories = [
  {
    name: 'a sale',
    async prepare(seller: MailSeller) {
      return { item: await list(seller, coat), job: await store(seller, await mailFor(seller, 'poshmark-sale')) }
    },
    state: 'reserved',
    effects: {
      ...{ mails: ['held'], named: [1], moves: ['reserved'] },
      ...{ operations: 1, tasks: ['open'], alerts: null, events: 1 },
    },
  },
  {
    name: 'a cancellation',
    async prepare(seller: MailSeller) {
      const item = await list(seller, coat)
      await decideMail(servicesOf(), await store(seller, await mailFor(seller, 'poshmark-sale', hourAgo())))
      return { item, job: await store(seller, await mailFor(seller, 'poshmark-cancelled')) }
    },
    state: 'available',
    effects: {
      ...{ mails: ['held', 'freed'], named: [1, 1], moves: ['reserved', 'available'] },
      ...{ operations: 1, tasks: ['dismissed'], alerts: ['relist_offer'], events: 2 },
    },
  },
  {
    name: 'a bundle with a line that nobody knows',
    async prepare(seller: MailSeller) {
      return {
        item: await list(seller, scarf),
        job: await store(seller, await mailFor(seller, 'poshmark-sale-bundle')),
      }
    },
    state: 'reserved',
    effects: {
      ...{ mails: ['held', 'unmatched'], named: [1, 0], moves: ['reserved'] },
      ...{ operations: 1, tasks: ['open'], alerts: ['sale_unclear'], events: 1 },
    },
  },
]

describe.each([
  ['dies', dies],
  ['is frozen until another is done', isFrozen],
])('a worker that %s before any statement or commit of deciding', (_, decide) => {
  it.each(stories)('$name leaves it decided once', async ({ prepare, state, effects }) => {
    await atEachBorder(async (border) => {
      const seller = await build(['ebay', 'poshmark', 'mercari'])
      const { item, job } = await prepare(seller)
      const crossed = await decide(job, border)
      expect(await effectsOf(seller)).toEqual(effects)
      expect(await stateOf(item)).toBe(state)
      await checkInvariants(dbOf())
      return crossed
    })
  })
})

it('a listener that dies before any statement or commit has stored each mail that it answered with 250', async () => {
  await atEachBorder(async (border) => {
    const seller = await build(['poshmark'])
    await list(seller, coat)
    const raw = await mailFor(seller, 'poshmark-sale')
    const send = async (port: number) => {
      const transport = nodemailer.createTransport({ port, host: '127.0.0.1', ignoreTLS: true })
      const sent = transport.sendMail({ envelope: { from: 'bounces@example.com', to: [seller.address] }, raw })
      return sent
        .then(
          () => true,
          () => false,
        )
        .finally(() => transport.close())
    }
    const worker = openBorders(servicesOf(), { at: endAt(border) })
    const listener = await startSmtpListener(worker.services, 0)
    const isTaken = await send(listener.port)
    await listener.stop()
    await worker.close()
    // A sender tries again until it is told 250. So a mail may come twice, never not at all.
    if (!isTaken) expect(await send(harness.smtpPort)).toBe(true)
    const mails = await dbOf().any('select user_id, uid from sale_mail where user_id = $1 order by uid', [
      seller.user_id,
    ])
    for (const mail of mails) await decideMail(servicesOf(), mail)
    const { mails: outcomes, events } = await effectsOf(seller)
    expect([outcomes.filter((outcome: string) => outcome === 'held').length, events]).toEqual([1, 1])
    if (isTaken) expect(outcomes).toHaveLength(1)
    const queued = await dbOf().one(
      "select count(*)::integer as n from jobs.job where name = 'sale-mail' and data ->> 'user_id' = $1",
      [String(seller.user_id)],
    )
    expect(queued.n).toBe(outcomes.length)
    return worker.crossed
  })
})

describe('a mailbox whose worker dies before any statement, commit or call', () => {
  let imap: ImapServer
  beforeAll(async () => {
    imap = await startImapServer()
    for (const n of [1, 2, 3]) {
      const mail = capturedMail(n === 2 ? 'poshmark-cancelled' : 'poshmark-sale', { to: `seller-${n}@example.com` })
      imap.add(await sign(mail, { domain: 'poshmark.com' }))
      imap.add('From: A friend <friend@example.com>\r\nSubject: Lunch\r\n\r\nTomorrow?')
    }
  })
  afterAll(() => imap?.close())

  /** Reads the seller's mailbox to its end, as a worker does that has claimed it. */
  const readToEnd =
    ({ user_id }: MailSeller) =>
    async (services: Services) => {
      await dbOf().none(
        "update sale_mailbox set lease_until = null, next_try_at = case when user_id = $1 then now() else 'infinity' end",
        [user_id],
      )
      const [mailbox] = await services.db.any(sql.claimMailbox({ user_id, lease_seconds: mailboxLeaseSeconds }))
      const stop = new AbortController()
      const watching = watchMailbox(services, mailbox!, stop.signal)
      const isRead = async () =>
        (await dbOf().one<{ state: string }>('select state from sale_mailbox where user_id = $1', [user_id])).state ===
        'waiting'
      await Promise.race([watching, until(isRead)])
      stop.abort()
      await watching
    }

  it('is caught up by the next, and holds each mail once', async () => {
    await atEachBorder(async (border) => {
      const seller = await build(['poshmark'])
      const put = await harness.call(seller, 'PUT', 'mailbox/', imapAccess(imap))
      expect(put.status).toBe(200)
      const worker = openBorders(servicesOf(), { at: endAt(border) })
      await worker.run(readToEnd(seller))
      await worker.close()
      await dbOf().none("update sale_mailbox set state = 'connecting' where user_id = $1", [seller.user_id])
      await readToEnd(seller)(servicesOf())
      const kept = await dbOf().one('select count(*)::integer as n from sale_mail where user_id = $1', [seller.user_id])
      expect(kept.n).toBe(3)
      const place = await dbOf().one('select last_uid from sale_mailbox where user_id = $1', [seller.user_id])
      expect(Number(place.last_uid)).toBe(6)
      return worker.crossed
    })
  })
})
