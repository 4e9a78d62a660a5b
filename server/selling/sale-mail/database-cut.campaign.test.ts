import { setTimeout as wait } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { rounds, roundsTimeoutMs } from '#e2e/harness/campaigns/campaign.ts'
import { checkInvariants } from '#e2e/harness/campaigns/invariants.ts'
import { until } from '#e2e/harness/until.ts'
import { closeDatabase, openDatabase } from '#server/infra/db/index.ts'
import { useSaleMail } from './testing/harness.ts'
import { capturedMail, sign } from './testing/signed-mail.ts'

const harness = useSaleMail()
const count = rounds(100)

it('holds every item once while the database cuts all connections', {
  timeout: roundsTimeoutMs(count, 2_000),
}, async () => {
  const { db, config } = harness.server.services
  const seller = await harness.build(['poshmark', 'mercari'])
  const sold: { item: string; mail: string }[] = []
  for (let number = 0; number < count; number++) {
    const sku = `SKU-${number}`
    const item = await harness.list(seller, { title: 'Wool Peacoat Navy Vintage 70s', sku, price_minor: 6_400 })
    const mail = capturedMail('poshmark-sale', { to: seller.email })
      .replaceAll('6ab7cb1fff8a471e6bfa36ed', number.toString(16).padStart(24, '0'))
      .replaceAll('COAT-0042', sku)
    sold.push({ item, mail: await sign(mail, { domain: 'poshmark.com' }) })
  }
  // A connection of its own cuts the others.
  const aside = openDatabase({ url: config.DATABASE_URL!, max: 1 })
  let [goes, cuts, refused] = [true, 0, 0]
  const cutting = (async () => {
    while (goes) {
      const { ended } = await aside.one(
        `select count(pg_terminate_backend(pid))::integer as ended from pg_stat_activity
         where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
      )
      cuts += ended
      await wait(150)
    }
  })()
  for (const { mail } of sold) {
    // A mail server sends again what was not accepted.
    for (;;) {
      const error = await harness.send(seller.address, mail).then(
        () => null,
        (error: { responseCode?: number }) => error,
      )
      if (!error) break
      refused++
      expect(error.responseCode).toBe(451)
    }
  }
  goes = false
  await cutting
  await closeDatabase(aside)
  const states = () =>
    db.map('select state from inventory_item where user_id = $1', [seller.user_id], ({ state }) => state as string)
  await until(states, (all) => all.every((state) => state === 'reserved'))
  expect(cuts).toBeGreaterThan(count / 10)
  const { held, moves } = await db.one(
    `select
       (select count(*)::integer from sale_mail where user_id = $1 and outcome = 'held') as held,
       (select count(*)::integer from inventory_history where user_id = $1 and to_state = 'reserved') as moves`,
    [seller.user_id],
  )
  // A mail that was stored although its acceptance did not arrive comes once more, and changes nothing.
  expect(moves).toBe(count)
  expect(held).toBeGreaterThanOrEqual(count)
  expect(held).toBeLessThanOrEqual(count + refused)
  await checkInvariants(db)
  process.stdout.write(`${count} mails, ${cuts} connections cut, ${refused} times refused and sent again\n`)
})
