import nodemailer from 'nodemailer'
import { expect, it } from 'vitest'
import { rounds, roundsTimeoutMs } from '#e2e/harness/campaigns/campaign.ts'
import { until } from '#e2e/harness/until.ts'
import { waysIn } from '#server/infra/ways-in/ways-in.ts'
import { insertWorkingShop } from '#server/selling/listings/testing/build-item.ts'
import { createFakeMarket } from '#server/selling/listings/testing/fake-market.ts'
import { MalformedMailError, parseMail } from './reading/parse-mail.ts'
import { type MailSeller, useSaleMail } from './testing/harness.ts'
import { capturedMail, sign } from './testing/signed-mail.ts'
import { verifySignature } from './verifying/verify-signature.ts'

const market = createFakeMarket('ebay')
const harness = useSaleMail({ platforms: [market.adapter], listingWorker: { pollMs: 100 } })
const dbOf = () => harness.server.services.db
const all = rounds(200)
const say = (line: string) => process.stdout.write(`${line}\n`)

/** The bounds of the promise, in seconds. They are judged where a number of ROUNDS asks for figures. */
const [mostOrdered, mostDown] = [5, 60]

async function build(): Promise<MailSeller> {
  const seller = await harness.build(['poshmark', 'mercari'])
  const ebay = await insertWorkingShop(harness.server.services, seller.user_id, 'ebay')
  return { ...seller, shops: { ...seller.shops, ebay } }
}

/** Lists an item on all places, and returns its id. */
function list(seller: MailSeller, number: number): Promise<string> {
  const { listing_id } = market.add({ state: 'live' })
  const item = { title: 'Wool Peacoat Navy Vintage 70s', sku: `SKU-${number}`, price_minor: 6_400 }
  return harness.list(seller, { ...item, listing_ids: { ebay: listing_id } })
}

/** Lists an item on all places, and returns the signed mail of its sale. */
async function sold(seller: MailSeller, number: number): Promise<string> {
  const sku = `SKU-${number}`
  await list(seller, number)
  const order = number.toString(16).padStart(24, '0')
  const mail = capturedMail('poshmark-sale', { to: seller.email })
    .replaceAll('6ab7cb1fff8a471e6bfa36ed', order)
    .replaceAll('COAT-0042', sku)
  return sign(mail, { domain: 'poshmark.com' })
}

const percentiles = (values: number[]) => {
  const sorted = values.toSorted((one, other) => one - other)
  return [0.5, 0.95, 0.99].map((share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!)
}

/** Queues a new price for each of these items' listings at eBay, as a change of many prices does. */
const changePrices = (user_id: number, uids: readonly string[]) =>
  dbOf().none(
    `insert into listing_operation
       (user_id, kind, item_uid, platform, seller_account_uid, listing_id, price_minor, currency, fields, cause, priority)
     select user_id, 'update', item_uid, platform, seller_account_uid, listing_id, 7000, 'USD', '{}', 'bulk', -10
     from channel_listing where user_id = $1 and platform = 'ebay' and item_uid = any($2)`,
    [user_id, uids],
  )

/**
 * Sends mails by SMTP, `perSecond` of them, and returns the seconds from arrival to ordered and to down, for each.
 * `beside`: as many prices change meanwhile.
 */
async function run(name: string, count: number, perSecond: number, from: number, beside = 0) {
  const sellers = await Promise.all(Array.from({ length: Math.min(20, count) }, build))
  const mails: { seller: MailSeller; raw: string }[] = []
  for (let number = 0; number < count; number++) {
    const seller = sellers[number % sellers.length]!
    mails.push({ seller, raw: await sold(seller, from + number) })
  }
  const transport = nodemailer.createTransport({
    ...{
      port: harness.smtpPort,
      host: '127.0.0.1',
      ignoreTLS: true,
      pool: true,
      maxConnections: 10,
      maxMessages: 1_000,
    },
  })
  for (const [index, seller] of sellers.entries()) {
    const uids: string[] = []
    for (let n = index; n < beside; n += sellers.length) uids.push(await list(seller, from + count + n))
    if (uids.length > 0) await changePrices(seller.user_id, uids)
  }
  const startedMs = performance.now()
  await Promise.all(
    mails.map(async ({ seller, raw }, number) => {
      const waitMs = startedMs + (number * 1_000) / perSecond - performance.now()
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs))
      await transport.sendMail({ envelope: { from: 'bounces@example.com', to: [seller.address] }, raw })
    }),
  ).finally(() => transport.close())
  const user_ids = sellers.map(({ user_id }) => user_id)
  const isDown = async () =>
    (
      await dbOf().one(
        "select count(*)::integer as n from listing_operation where user_id = any($1) and kind = 'delist' and state = 'done'",
        [user_ids],
      )
    ).n === count
  await until(isDown)
  const seconds = (performance.now() - startedMs) / 1_000
  const changes = await dbOf().one(
    `select count(*) filter (where state = 'done')::integer as done,
       coalesce(max(extract(epoch from coalesce(finished_at, now()) - created_at)), 0)::float8 as longest
     from listing_operation where user_id = any($1) and kind = 'update'`,
    [user_ids],
  )
  const times = await dbOf().any<{ ordered: number; down: number; outcome: string }>(
    `select mail.outcome, extract(epoch from operation.created_at - mail.received_at)::float8 as ordered,
       extract(epoch from operation.finished_at - mail.received_at)::float8 as down
     from sale_mail mail
     join listing_operation operation on operation.user_id = mail.user_id and operation.item_uid = any(mail.item_uids) and operation.kind = 'delist'
     where mail.user_id = any($1)`,
    [user_ids],
  )
  // Nothing is lost, and nothing is taken down twice.
  expect(times.map(({ outcome }) => outcome)).toEqual(Array.from({ length: count }, () => 'held'))
  const [ordered, down] = [percentiles(times.map((one) => one.ordered)), percentiles(times.map((one) => one.down))]
  const show = (values: number[]) => values.map((value) => value.toFixed(2)).join(' / ')
  say(
    `${name}: ${count} mails in ${seconds.toFixed(1)} s; p50 / p95 / p99 in seconds: held and ordered ${show(ordered)}, down ${show(down)}`,
  )
  if (beside > 0)
    say(
      `${name}: ${changes.done} of ${beside} price changes done by then, the longest wait ${changes.longest.toFixed(1)} s`,
    )
  return { perSecond: count / seconds, ordered: ordered[1]!, down: down[1]! }
}

it(
  'loses no mail and takes nothing down twice at any load; within the bounds, where ROUNDS asks for figures',
  async () => {
    const { perSecond } = await run('at once', all, Number.POSITIVE_INFINITY, 0)
    const most = await run('at 80 percent', all, 0.8 * perSecond, all)
    await run('at 120 percent', all, 1.2 * perSecond, 2 * all)
    expect(market.live()).toEqual([])
    const overload = await run('at 400 percent, with as many price changes', all, 4 * perSecond, 3 * all, all)
    if (!process.env.ROUNDS) return
    expect(most.ordered).toBeLessThan(mostOrdered)
    expect(most.down).toBeLessThan(mostDown)
    // A take-down waits for its mail to be read, and for no price.
    expect(overload.down - overload.ordered).toBeLessThan(mostOrdered)
  },
  roundsTimeoutMs(all, 3_000),
)

const part = (body: string) =>
  `--b\r\nContent-Type: text/plain; charset=none\r\nContent-Transfer-Encoding: base64\r\n\r\n${body}\r\n`
const mixed = (body: string) => `Content-Type: multipart/mixed; boundary=b\r\n\r\n${body}--b--\r\n`
const from =
  'From: Poshmark <orders@poshmark.com>\r\nTo: a@example.com\r\nSubject: x\r\nDate: Mon, 05 Oct 2026 09:12:47 +0000\r\n'
const nested = Array.from(
  { length: 200 },
  (_, n) => `--b${n}\r\nContent-Type: multipart/mixed; boundary=b${n + 1}\r\n\r\n`,
).join('')
const mailTo = (count: number) =>
  `${from.replace('To: a@example.com', `To: ${'"a, b" <c@example.com>, '.repeat(count)}d@example.com`)}\r\nx`
const shapes: Record<string, string> = {
  'a body of 10 MB': `${from}\r\n${'x'.repeat(78)}\r\n`.padEnd(10_000_000, 'y\r\n'),
  'a body as large as is read': `${from}\r\n${`${'x'.repeat(76)}\r\n`.repeat(12_700)}`,
  'a body of double spaces': `${from}\r\n${`${'x  '.repeat(16)}\r\n`.repeat(19_500)}`,
  'padding in base64': `${from}Content-Transfer-Encoding: base64\r\n\r\n${`${'=20'.repeat(300)}\r\n`.repeat(1_000)}`,
  '155,000 line ends': `${from}\r\n${'\n'.repeat(155_000)}`,
  '3.8 MB of empty lines': `${from}\r\n${'\r\n'.repeat(1_900_000)}`,
  'as many empty lines as are read': `${from}\r\n${' \r\n'.repeat(19_900)}`,
  'as many folds as are read': `${from}X-A: b\r\n${' c\r\n'.repeat(990)}\r\nx`,
  '1,000 parts': from + mixed(part('QUJD').repeat(1_000)),
  'as many parts as are read, each large': from + mixed(part('QUJD'.repeat(600)).repeat(58)),
  'parts in parts': `${from}Content-Type: multipart/mixed; boundary=b0\r\n\r\n${nested}`,
  'a header of 9,000 lines': `${from}${'X-A: b\r\n'.repeat(9_000)}\r\nx`,
  'a header of one long line': `${from}X-A: ${'a'.repeat(60_000)}\r\n\r\nx`,
  'an HTML part of open tags': `${from}Content-Type: text/html\r\n\r\n${'<div><table><a href="'.repeat(7_000)}`,
  'an HTML part of entities': `${from}Content-Type: text/html\r\n\r\n${'&lt;&#x202e;'.repeat(13_000)}`,
  'a subject of encoded words': `${from.replace('Subject: x', `Subject: ${'=?x-none?Q?=FF=FE?= '.repeat(2_000)}`)}\r\nx`,
  '2,000 addresses': mailTo(2_000),
  'as many addresses as are read': mailTo(400),
}

/** A busy machine counts some processor time twice. */
const mostMs = waysIn.smtp.cpuMs * 3
/** Three times what a quiet machine counts, with garbage that is not collected yet. */
const mostBytes = 60_000_000

it.each(Object.entries(shapes))('spends little processor time and memory on %s', async (name, mail) => {
  const raw = Buffer.from(mail)
  const costs: number[] = []
  const bytes: number[] = []
  for (let round = 0; round < 5; round++) {
    const [before, heap] = [process.cpuUsage(), process.memoryUsage()]
    const parsed = await parseMail(raw).catch((error: unknown) => {
      if (!(error instanceof MalformedMailError)) throw error
      return null
    })
    if (parsed) await verifySignature(raw, { domains: ['poshmark.com'], at: new Date() }, async () => [])
    const { user, system } = process.cpuUsage(before)
    const now = process.memoryUsage()
    bytes.push(now.heapUsed - heap.heapUsed + now.external - heap.external)
    costs.push((user + system) / 1_000)
  }
  const [least] = costs.toSorted((one, other) => one - other)
  // The garbage of other tests is collected at any time.
  const usual = bytes.toSorted((one, other) => one - other)[1]!
  say(`${name}: ${least!.toFixed(1)} ms, ${(usual / 1e6).toFixed(1)} MB`)
  expect(least).toBeLessThan(mostMs)
  expect(usual).toBeLessThan(mostBytes)
})
