import { expect, it } from 'vitest'
import { campaignSeed, rounds, roundsTimeoutMs } from '#e2e/harness/campaigns/campaign.ts'
import { checkInvariants } from '#e2e/harness/campaigns/invariants.ts'
import { randomFrom } from '#e2e/harness/campaigns/random.ts'
import { reportSales } from '#server/catalog/imports/from-extension/report-sales.ts'
import { markSoldInPerson } from '#server/selling/sales/mark-sold-in-person.ts'
import { decideMail } from './deciding/decide-mail.ts'
import { resolveMail } from './messages.ts'
import { storeMail } from './store-mail.ts'
import { type MailSeller, useSaleMail } from './testing/harness.ts'
import { capturedMail, sign } from './testing/signed-mail.ts'

const harness = useSaleMail({ works: false })
const { build, list, stateOf } = harness
const servicesOf = () => harness.server.services
const dbOf = () => servicesOf().db

const coat = { title: 'Wool Peacoat Navy Vintage 70s', price_minor: 6_400 }
const all = rounds(60)

/** Stores a mail of Poshmark, and returns what decides it. */
async function arrive(seller: MailSeller, name: string, { change = (mail: string) => mail, date = new Date() } = {}) {
  const { user_id, email } = seller
  const raw = Buffer.from(await sign(change(capturedMail(name, { to: email, date })), { domain: 'poshmark.com' }))
  await dbOf().tx((tx) => storeMail(servicesOf(), tx, { user_id, via: 'smtp', raw, size: raw.length }))
  const { uid } = await dbOf().one('select uid from sale_mail where user_id = $1 order by uid desc limit 1', [user_id])
  return { uid, decide: () => decideMail(servicesOf(), { user_id, uid }) }
}

const outcomesOf = ({ user_id }: MailSeller) =>
  dbOf().map('select outcome from sale_mail where user_id = $1 order by uid', [user_id], (row) => row.outcome as string)

async function shuffled(acts: (() => Promise<unknown>)[], random: () => number) {
  const order = acts.map((act) => ({ act, at: random() })).sort((one, other) => one.at - other.at)
  return Promise.allSettled(order.map(({ act }) => act()))
}

const rejected = (results: PromiseSettledResult<unknown>[]) =>
  results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason?.code ?? result.reason)] : []))

it(
  'sells an item once where its mail, its page and its seller tell of it at once',
  async () => {
    for (let round = 0; round < all; round++) {
      const random = randomFrom(campaignSeed * 1_000 + round)
      const seller = await build(['ebay', 'poshmark', 'mercari'])
      const listing_id = `posh-${seller.user_id}`
      const item = await list(seller, { ...coat, listing_ids: { poshmark: listing_id } })
      const mail = await arrive(seller, 'poshmark-sale')
      const page = {
        user_id: seller.user_id,
        platform: 'poshmark',
        shop: { username: 'ada' },
        listing_ids: [listing_id],
      } as const
      const results = await shuffled(
        [
          // Two workers have the mail, because a lease ran out.
          mail.decide,
          mail.decide,
          () => reportSales(servicesOf(), page),
          ...(random() < 0.5
            ? [() => markSoldInPerson(servicesOf(), { user_id: seller.user_id, item_uid: item })]
            : []),
        ],
        random,
      )
      // The seller is told that the item is taken; nothing else fails.
      expect(rejected(results).filter((code) => code !== 'not_available')).toEqual([])
      expect(await stateOf(item)).toBe('sold')
      const { sales, operations, tasks } = await dbOf().one(
        `select (select count(*)::integer from sale where item_uid = $1 and not cancelled) as sales,
           (select count(*)::integer from listing_operation where item_uid = $1 and kind = 'delist') as operations,
           (select count(*)::integer from extension_task where item_uid = $1 and kind = 'delist' and platform = 'mercari') as tasks`,
        [item],
      )
      expect({ sales, operations, tasks }).toEqual({ sales: 1, operations: 1, tasks: 1 })
      expect(['held', 'unmatched']).toContain((await outcomesOf(seller))[0])
    }
    await checkInvariants(dbOf())
  },
  roundsTimeoutMs(all),
)

it(
  'frees an item whose cancellation races its sale, whichever is decided first',
  async () => {
    for (let round = 0; round < all; round++) {
      const random = randomFrom(campaignSeed * 2_000 + round)
      const seller = await build(['ebay', 'poshmark', 'mercari'])
      const item = await list(seller, coat)
      const sale = await arrive(seller, 'poshmark-sale', { date: new Date(Date.now() - 3_600_000) })
      const cancellation = await arrive(seller, 'poshmark-cancelled')
      expect(rejected(await shuffled([sale.decide, cancellation.decide], random))).toEqual([])
      expect(await outcomesOf(seller)).toSatisfy((outcomes: string[]) =>
        ['held,freed', 'ignored,unmatched'].includes(outcomes.join()),
      )
      expect(await stateOf(item)).toBe('available')
      const tasks = await dbOf().any("select from extension_task where item_uid = $1 and status = 'open'", [item])
      expect(tasks).toEqual([])
    }
    await checkInvariants(dbOf())
  },
  roundsTimeoutMs(all),
)

it(
  'holds no item for two mails about items of one title, and one for each answer',
  async () => {
    for (let round = 0; round < all; round++) {
      const random = randomFrom(campaignSeed * 3_000 + round)
      const seller = await build(['poshmark'])
      const items = [await list(seller, coat), await list(seller, coat)]
      const other = (mail: string) => mail.replaceAll('6ab7cb1fff8a471e6bfa36ed', 'f'.repeat(24))
      const mails = [await arrive(seller, 'poshmark-sale'), await arrive(seller, 'poshmark-sale', { change: other })]
      await shuffled(
        mails.map(({ decide }) => decide),
        random,
      )
      expect(await outcomesOf(seller)).toEqual(['ambiguous', 'ambiguous'])
      expect(await Promise.all(items.map(stateOf))).toEqual(['available', 'available'])
      // The seller presses both buttons of one question at once, in two browsers.
      const ref = { user_id: seller.user_id, uid: mails[0]!.uid }
      const answers = await shuffled(
        items.map((item) => () => resolveMail(servicesOf(), ref, item)),
        random,
      )
      expect(rejected(answers)).toEqual(['already_resolved'])
      const states = await Promise.all(items.map(stateOf))
      expect(states.toSorted()).toEqual(['available', 'reserved'])
    }
    await checkInvariants(dbOf())
  },
  roundsTimeoutMs(all),
)
