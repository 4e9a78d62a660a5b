import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { hash } from '@node-rs/argon2'
import nodemailer from 'nodemailer'
import { buildAccount } from '#e2e/harness/account.ts'
import type { WayInName } from '#server/infra/ways-in/ways-in.ts'
import { startNameServer } from '#server/sandbox/name-server.ts'
import { insertItem, insertLiveListing, insertShop } from '#server/selling/listings/testing/build-item.ts'
import { capturedMail, publishKeys, sign } from '#server/selling/sale-mail/testing/signed-mail.ts'
import type { Attack } from './attackers.ts'
import { requestText, runOnce } from './load.ts'
import { openSales } from './sale-turns.ts'
import { benchPassword } from './stage.ts'

/**
 * Measures what is promised to a seller while ten other accounts attack: `npm run bench attack [-- --seconds 10 --rounds 3
 * --ways smtp,csv]`. Sellers sign in, import a file, sell an item, and have the mail of a sale read, all at the same time.
 * Each way in has rounds of some seconds without an attack and, after each, with one. Prints p50 and p99 of both and their
 * ratio. Never a verdict.
 */
const all = 'head,json,anonymous,batch,bulk,csv,upload,form,mcp,notice,smtp,imap,heic,picture'
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
    ways: { type: 'string', default: all },
  },
  allowPositionals: true,
})
const [seconds, rounds] = [Number(values.seconds), Number(values.rounds)]

const dns = await startNameServer()
publishKeys(dns, 'poshmark.com')
// Five sellers sell at most 15 items a second together.
const itemsEach = values.ways.split(',').length * rounds * 2 * seconds * 3
const environment = { SANDBOX: 'on', SALE_MAIL_DOMAIN: 'in.hapax.example', SALE_MAIL_DNS: dns.address }
const sales = await openSales(environment, itemsEach)
const { db, port, smtpPort } = sales
const headers = { 'content-type': 'application/json' }
const addressOf = async ({ bearer }: (typeof sales.accounts)[number]): Promise<string> =>
  (await (await fetch(`http://127.0.0.1:${port}/api/v1/sale-mail/`, { headers: { ...headers, ...bearer } })).json())
    .address
const attackers = await Promise.all(Array.from({ length: 10 }, () => buildAccount(db)))
await db.none('update app_user set email_verified = true, password_hash = $1', [
  await hash(benchPassword, { memoryCost: 19_456, timeCost: 2, parallelism: 1 }),
])
const stage = {
  ...{ port, impatientPort: port, smtpPort, accounts: attackers },
  addresses: await Promise.all(attackers.map(addressOf)),
}
const [victim, mailed] = [sales.accounts[0]!, await buildAccount(db)]
await db.none('update app_user set email_verified = true where id = $1', [mailed.user_id])
const [shop, to] = [await insertShop(db, mailed.user_id, 'poshmark'), await addressOf(mailed)]

const signIn = requestText('POST', '/api/auth/login/', {}, { email: victim.email, password: benchPassword })
const file = `sku,title,price\n${Array.from({ length: 20 }, (_, row) => `S-${row},Lamp ${row},10.00`).join('\n')}\n`
let made = 0
/** Sells an item on Poshmark, whose mail comes by SMTP, and returns the ms from the mail's acceptance until it is held. */
async function heldByMail(): Promise<number> {
  const { user_id, email } = mailed
  const sku = `SKU-${++made}`
  const item_uid = await insertItem(db, user_id, { title: 'Wool Peacoat Navy Vintage 70s', sku, price_minor: 6_400 })
  const listing = { user_id, item_uid, seller_account_uid: shop, platform: 'poshmark', listing_id: sku } as const
  await insertLiveListing(db, { ...listing, state: 'available' })
  await db.none('update channel_listing set price_minor = 6400 where user_id = $1', [user_id])
  // A seller does not sell a thousand items a day.
  await db.none('delete from request_count where subject = $1', [`mails:${user_id}`])
  const mail = capturedMail('poshmark-sale', { to: email })
    .replaceAll('6ab7cb1fff8a471e6bfa36ed', made.toString(16).padStart(24, '0'))
    .replaceAll('COAT-0042', sku)
  const raw = await sign(mail, { domain: 'poshmark.com' })
  const startedMs = performance.now()
  const transport = nodemailer.createTransport({ port: smtpPort, host: '127.0.0.1', ignoreTLS: true })
  await transport
    .sendMail({ envelope: { from: 'bounces@example.com', to: [to] }, raw })
    .finally(() => transport.close())
  for (;;) {
    const { state } = await db.one('select state from inventory_item where uid = $1', [item_uid])
    if (state === 'reserved') return performance.now() - startedMs
    await delay(10)
  }
}
const timed = async (work: () => Promise<unknown>) => {
  const startedMs = performance.now()
  await work()
  return performance.now() - startedMs
}
const promises: Record<string, () => Promise<number>> = {
  'sign-in': () => timed(() => runOnce(port, signIn)),
  import: () =>
    timed(() =>
      fetch(`http://127.0.0.1:${port}/api/v1/inventory/import/?dry_run=true`, {
        method: 'POST',
        headers: { ...victim.key, 'content-type': 'text/csv' },
        body: file,
      }).then((response) => response.text()),
    ),
  'take-down': sales.takenDown,
  'sale mail': heldByMail,
}
type Times = Record<string, number[]>

/** Keeps each promise again and again for some seconds, and adds the times in ms. The last of each is waited for. */
async function measure(times: Times): Promise<void> {
  const endMs = performance.now() + seconds * 1_000
  await Promise.all(
    Object.entries(promises).map(async ([name, keep]) => {
      times[name] ??= []
      while (performance.now() < endMs) {
        times[name].push(await keep())
        await delay(50)
      }
    }),
  )
}

async function begin(way: WayInName): Promise<ChildProcess> {
  // Attackers whose day is used up would harm nobody.
  await db.none("delete from request_count where subject not like 'mails:' || $1", [mailed.user_id])
  const attack: Attack = { way, stage }
  const child = fork(fileURLToPath(new URL('./attackers.ts', import.meta.url)), [JSON.stringify(attack)])
  await once(child, 'message')
  return child
}

const at = (times: number[], share: number) =>
  times.toSorted((one, other) => one - other)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0

console.log(
  '| Attack by | Runs a second | Promise | Times | Quiet p50, p99 | Attacked p50, p99 | p50, p99 ratio |\n|---|---|---|---|---|---|---|',
)
await measure({})
for (const way of values.ways.split(',') as WayInName[]) {
  const [quiet, attacked]: Times[] = [{}, {}]
  let [ran, attackedMs] = [0, 0]
  for (let round = 0; round < rounds; round++) {
    const child = await begin(way)
    await measure(quiet!)
    child.on('message', () => ran++)
    const startedMs = performance.now()
    child.send('go')
    await measure(attacked!)
    attackedMs += performance.now() - startedMs
    child.kill('SIGKILL')
    await once(child, 'exit')
    // The server finishes what it has begun.
    await delay(2_000)
  }
  for (const name of Object.keys(promises)) {
    const [own, other] = [quiet![name]!, attacked![name]!]
    const [q50, q99, a50, a99] = [at(own, 0.5), at(own, 0.99), at(other, 0.5), at(other, 0.99)]
    const cells = [`${own.length}, ${other.length}`, `${q50.toFixed(0)}, ${q99.toFixed(0)} ms`]
    cells.push(`${a50.toFixed(0)}, ${a99.toFixed(0)} ms`, `${(a50 / q50).toFixed(1)}, **${(a99 / q99).toFixed(1)}**`)
    console.log(`| ${way} | ${((ran * 1_000) / attackedMs).toFixed(1)} | ${name} | ${cells.join(' | ')} |`)
  }
}
await sales.close()
await dns.close()
process.exit(0)
