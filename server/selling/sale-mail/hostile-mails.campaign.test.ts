import { expect, it } from 'vitest'
import { campaignSeed, rounds, roundsTimeoutMs } from '#e2e/harness/campaigns/campaign.ts'
import { randomFrom } from '#e2e/harness/campaigns/random.ts'
import { saleOfListing } from '#server/selling/sales/observed-sale.ts'
import { recordSale } from '#server/selling/sales/record-sale.ts'
import { decideMail } from './deciding/decide-mail.ts'
import { storeMail } from './store-mail.ts'
import { useSaleMail } from './testing/harness.ts'
import { capturedMail, type Signing, sign } from './testing/signed-mail.ts'

const harness = useSaleMail({ works: false })

const sales = [
  { name: 'poshmark-sale', domain: 'poshmark.com', title: 'Wool Peacoat Navy Vintage 70s', price_minor: 6_400 },
  {
    name: 'mercari-sale',
    domain: 'alerts.us.mercari.com',
    title: 'Film Camera Compact 35mm',
    price_minor: 12_000,
    listing_ids: { mercari: 'm10000000001' },
  },
  {
    name: 'depop-sale',
    domain: 'alerts.depop.com',
    title: 'Striped knit sweater in blue and cream, soft and warm',
    price_minor: 3_000,
  },
]
type Sale = (typeof sales)[number]

interface Attack {
  signing?: Partial<Signing>
  /** The mail, before it is signed. */
  write?(mail: string, sale: Sale, random: () => number): string
  /** The mail, after it is signed. */
  forge?(mail: string, sale: Sale, random: () => number): string
  to?: string
  ageDays?: number
}

const header = (name: string, value: string) => (mail: string) =>
  mail.replace(new RegExp(`^${name}: .*(?:\\r\\n[ \\t].*)*$`, 'm'), `${name}: ${value}`)
const pick = <Value>(values: readonly Value[], random: () => number) => values[Math.floor(random() * values.length)]!
const withoutSignature = (mail: string) => mail.replace(/^DKIM-Signature:.*(?:\r\n[ \t].*)*\r\n/m, '')
const quoting = (sale: Sale) => `${sale.title}" just sold to @buyer_one on Poshmark!`

/** Each makes of a real sale mail one that must change nothing. */
const attacks: Attack[] = [
  { forge: withoutSignature },
  { signing: { domain: 'example.com' } },
  { signing: { domain: 'sendgrid.info' } },
  { signing: { algorithm: 'rsa-sha1' } },
  { signing: { bodyLength: 40 } },
  { signing: { headers: ['From', 'Subject', 'Date'] } },
  { signing: { headers: ['From', 'To', 'Date'] } },
  { signing: { signedAt: new Date(Date.now() - 9e6), expires: new Date(Date.now() - 6e6) } },
  ...['From: Eve <eve@example.com>', 'To: eve@example.com', 'Subject: x', 'Date: Mon, 05 Oct 2026 09:12:47 +0000'].map(
    (line): Attack => ({
      forge: (mail, _, random) =>
        random() < 0.5 ? `${line}\r\n${mail}` : mail.replace('\r\n\r\n', `\r\n${line}\r\n\r\n`),
    }),
  ),
  {
    forge: (mail, _, random) => {
      const start = mail.indexOf('\r\n\r\n') + 4
      const at = start + Math.floor(random() * (mail.length - start - 4))
      return `${mail.slice(0, at)}§${mail.slice(at + 1)}`
    },
  },
  { forge: (mail, { title }) => mail.replace('Subject: ', `Subject: ${title} `) },
  {
    // A real mail of the marketplace behind a forged header, which one parser ends where another reads on.
    write: (mail) => header('Subject', 'Welcome')(mail).replaceAll('6ab7cb1fff8a471e6bfa36ed', 'ab'.repeat(12)),
    forge: (mail, { name, title }) => {
      const headers = mail.match(/^(?:From|To|Date): .*$/gm)!.map((line) => `${line.trim()}\r\n`)
      const subject = name.startsWith('m') ? `You've made a sale: ${title}` : `"${title}" just sold to @b on Poshmark!`
      return `${headers.join('')}Subject: ${subject}\r\n\r\r\n${mail}`
    },
  },
  {
    signing: { domain: 'example.com' },
    write: (mail, { domain }) => header('From', `"Sales <no-reply@${domain}>" <eve@example.com>`)(mail),
  },
  { write: (mail, { domain }, random) => header('From', `News <news${random()}@${domain}>`)(mail) },
  { to: 'mallory@example.net' },
  { to: 'wilma@example.com, mallory@example.net' },
  { ageDays: 3.1 },
  { ageDays: 300 },
  { signing: { headers: ['From', 'To', 'Subject'], signedAt: new Date(Date.now() - 4 * 86_400_000) } },
  {
    signing: { domain: 'example.com' },
    write: (mail) => header('Subject', 'Fwd: you sold it')(header('From', 'a@example.com')(mail)),
  },
  { write: (mail, sale) => header('Subject', `You have an offer on "${quoting(sale)}"!`)(mail) },
  { write: (mail, sale) => header('Subject', `A listing that you liked just sold: "${quoting(sale)}"`)(mail) },
  { write: (mail, { title }) => header('Subject', `The buyer has asked to cancel ${title}.`)(mail) },
  { write: (mail, { title }) => header('Subject', `@b made you an offer: sale confirmation for ${title}`)(mail) },
  {
    write: (mail, { title }, random) =>
      mail
        .replaceAll('=\r\n', '')
        .replaceAll(title.slice(0, 20), `${title.slice(0, 20)}${pick(['\u202E', '', 'x'], random)}other`)
        .replace(/SKU: \S+|ID: m\d+/g, ''),
  },
  { write: (mail) => mail.replace(/\$(\d+)\.00/g, '$$$1.99').replace(/SKU: \S+|ID: m\d+/g, '') },
  { write: (mail) => `${mail}\r\n${'--x\r\nContent-Type: text/plain; charset=none\r\n\r\n'.repeat(1_000)}` },
  { write: (mail) => mail.replace(/\r\n\r\n/, `\r\n${'X-A: b\r\n'.repeat(9_000)}\r\n`) },
  {
    write: (mail, _, random) => `${mail}${'a'.repeat(70)}\r\n`.padEnd(4_000_001 + Math.floor(random() * 1e6), 'b\r\n'),
  },
]

/** In every run each attack on each sale, some times. */
const all = rounds(10_000, 1 / 25)

it(
  'of hostile mails none holds an item',
  async () => {
    const seller = await harness.build()
    const { services } = harness.server
    const items = await Promise.all(sales.map((sale) => harness.list(seller, sale)))
    const decide = async (raw: string) => {
      const bytes = Buffer.from(raw)
      await services.db.tx((tx) => storeMail(services, tx, { ...seller, via: 'smtp', raw: bytes, size: bytes.length }))
      const { uid } = await services.db.one(
        'select uid from sale_mail where user_id = $1 and outcome is null order by uid desc limit 1',
        [seller.user_id],
      )
      await decideMail(services, { ...seller, uid })
      return services.db.one<{ outcome: string }>('select outcome from sale_mail where uid = $1', [uid])
    }
    const build = (sale: Sale, date: Date) => capturedMail(sale.name, { to: seller.email, date })
    const hourAgo = new Date(Date.now() - 3_600_000)
    // Real sales that were canceled: a copy of one must hold nothing again.
    const used = await Promise.all(sales.map((sale) => sign(build(sale, hourAgo), sale)))
    for (const mail of used) expect(await decide(mail)).toEqual({ outcome: 'held' })
    for (const name of ['poshmark-cancelled', 'mercari-cancelled']) {
      const mail = capturedMail(name, { to: seller.email })
      await decide(await sign(mail, { domain: name.startsWith('p') ? 'poshmark.com' : 'alerts.us.mercari.com' }))
    }
    const { listing_id } = await services.db.one(
      "select listing_id from channel_listing where item_uid = $1 and platform = 'depop'",
      [items[2]],
    )
    await recordSale(
      services.db,
      seller.user_id,
      saleOfListing({
        ...{
          platform: 'depop',
          seller_account_uid: seller.shops.depop!,
          listing_id,
          price_minor: 3_000,
          currency: 'USD',
        },
        ...{ status: 'cancelled', observed_at: new Date().toISOString() },
      }),
    )
    for (const item of items) expect(await harness.stateOf(item)).toBe('available')

    const outcomes: Record<string, number> = {}
    for (let round = 0; round < all; round++) {
      // A day goes by.
      if (round % 100 === 99) await services.db.none("delete from request_count where subject like 'mails:%'")
      const random = randomFrom(campaignSeed * 100_000 + round)
      const attack = attacks[round % attacks.length]!
      const sale = sales[Math.floor(round / attacks.length) % sales.length]!
      if (random() < 0.05) {
        const copy = used[sales.indexOf(sale)]!
        const { outcome } = await decide(copy.replace(/^Message-ID: .*$/m, `Message-ID: <${random()}@x>`))
        expect(outcome).toBe('refused')
        continue
      }
      const { signing, write, forge, to, ageDays = 0 } = attack
      let mail = build(sale, new Date(Date.now() - ageDays * 86_400_000))
      if (to) mail = header('To', to)(mail)
      if (write) mail = write(mail, sale, random)
      const signed = await sign(mail, { domain: sale.domain, ...signing })
      const { outcome } = await decide(forge ? forge(signed, sale, random) : signed)
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      expect(
        ['refused', 'ignored', 'unmatched', 'ambiguous'],
        `round ${round}, attack ${attacks.indexOf(attack)}: ${mail.slice(0, 300)}`,
      ).toContain(outcome)
    }
    expect(outcomes.refused).toBeGreaterThan(all / 2)
    for (const item of items) expect(await harness.stateOf(item)).toBe('available')
  },
  roundsTimeoutMs(all),
)
