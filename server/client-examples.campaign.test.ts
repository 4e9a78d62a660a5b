import type { ChildProcess } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildAccount, type TestAccount } from '#e2e/harness/account.ts'
import { apiOf } from '#e2e/harness/api.ts'
import { rounds } from '#e2e/harness/campaigns/campaign.ts'
import { freePorts } from '#e2e/harness/free-ports.ts'
import { installPackedClient, linesOf, type PackedClient } from '#e2e/harness/packed-client.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { until } from '#e2e/harness/until.ts'
import { readConfig } from '#server/config.ts'
import { connectSandboxShop } from '#server/integrations/connections/testing/connect.ts'
import { createPlatforms } from '#server/integrations/registry.ts'
import { type Sandbox, startSandbox } from '#server/sandbox/index.ts'
import { insertAddress, insertItem } from '#server/selling/listings/testing/build-item.ts'
import { startOrderWorker } from '#server/selling/orders/worker.ts'
import { startEventWorker } from '#server/webhooks/worker.ts'

/**
 * The programs of docs/examples with the installed client, against the server, its workers and the sandbox
 * marketplaces. The steps build on one another.
 */
const count = rounds(200, 1 / 20)
/** Items that are not listed, so that the stock fills more than a page of 100 in every run. */
const unlisted = 95
const [ebaySeller, etsyShop] = ['empty_eve', 'EmptyEveShop']

let client: PackedClient
let sandbox: Sandbox
let server: TestServer
let seller: TestAccount
let mirror: ChildProcess | null = null
const closing: (() => unknown)[] = []

beforeAll(async () => {
  client = await installPackedClient()
  closing.push(() => client.remove())
  const dataDir = await mkdtemp(join(tmpdir(), 'hapax-examples-'))
  closing.push(() => rm(dataDir, { recursive: true }))
  server = await startTestServer({
    async prepare(services) {
      const { PUBLIC_URL: publicUrl, DATABASE_URL, SECRET_KEY } = services.config
      sandbox = await startSandbox({
        dataDir,
        basePort: 0,
        settings: { PUBLIC_URL: publicUrl },
        log: { info: () => {} },
      })
      closing.push(() => sandbox.close())
      // Etsy's limit of ten calls a second makes 200 listings take two minutes and a half.
      sandbox.etsy.limits.set(null)
      const own = {
        PUBLIC_URL: publicUrl,
        DATABASE_URL,
        SECRET_KEY,
        DATA_DIR: dataDir,
        SANDBOX: 'on',
        ORDER_POLL_SECONDS: '1',
      }
      const config = readConfig({ ...own, ...sandbox.environment })
      Object.assign(services, { config, platforms: createPlatforms({ config, fetch }) })
    },
  })
  const orders = startOrderWorker(server.services, { pollMs: 50 })
  const events = startEventWorker(server.services, { pollMs: 20, post: { sandbox: true } })
  closing.push(async () => {
    mirror?.kill()
    await Promise.all([orders.stop(2_000), events.stop(1_000)])
    await server.close()
  })
  seller = await buildAccount(server.services.db)
  await insertAddress(server.services.db, seller.user_id)
  for (const [slug, name] of [['ebay', ebaySeller] as const, ['etsy', etsyShop] as const]) {
    expect((await connectSandboxShop(server.url, seller, { slug, seller: name })).text).toContain('is connected')
  }
})
afterAll(async () => {
  for (const close of closing.reverse()) await close()
})

const start = (name: string, args: string[], more: Record<string, string> = {}) =>
  client.start(name, args, { HAPAX_URL: server.url, HAPAX_KEY: seller.key['x-api-key'], ...more })
const call = (method: string, path: string, body?: unknown) =>
  apiOf(server.url)(method, `/api/v1/inventory/${path}`, { headers: seller.key, body })
const liveOnEbay = () => sandbox.ebay.market.itemsOf(ebaySeller).filter(({ status }) => status === 'Active')
const liveOnEtsy = () =>
  sandbox.etsy.market
    .listingsOf(sandbox.etsy.market.shopNamed(etsyShop)!.shopId)
    .filter(({ state }) => state === 'active')

it('have less than 30 lines each', async () => {
  const folder = new URL('../docs/examples', import.meta.url).pathname
  for (const name of await readdir(folder)) {
    expect([name, (await readFile(join(folder, name), 'utf8')).trimEnd().split('\n').length < 30]).toEqual([name, true])
  }
})

it('lists items with own photos on both marketplaces, beside a bad one', async () => {
  const photoOf = (n: number) =>
    sharp({ create: { width: 1_200, height: 900, channels: 3, background: { r: n, g: 255 - n, b: 90 } } }).jpeg()
  const items = Array.from({ length: count }, (_, n) => ({
    ...{ sku: `EX-${n}`, title: `Wool coat no ${n}`, price: 40 + n, photos: [`${n}.jpg`] },
    options: {
      ebay: { category_id: '57988', aspects: { Brand: ['Pendleton'], Size: ['M'], Color: [n % 2 ? 'Green' : 'Blue'] } },
      etsy: { taxonomy_id: n % 2 ? '374' : '429', who_made: 'someone_else', when_made: '1990s' },
    },
  }))
  for (let n = 0; n < count; n++) await photoOf(n).toFile(join(client.folder, `${n}.jpg`))
  await writeFile(join(client.folder, 'items.json'), JSON.stringify([...items, items[0]]))
  const lines = await linesOf(await start('create-and-list.mjs', ['items.json']))
  expect(lines).toEqual(['EX-0 was not added: Another item has this SKU.', `${2 * count} of ${2 * count} listed`])
  expect([liveOnEbay().length, liveOnEtsy().length]).toEqual([count, count])

  // The photo is at both marketplaces as this server serves it, without the original's metadata.
  const { record } = (await call('GET', '?q=EX-7&page_size=100')).body.results.find(
    ({ sku }: { sku: string }) => sku === 'EX-7',
  )
  const [address] = record.images
  const served = Buffer.from(await (await fetch(address)).arrayBuffer())
  expect(liveOnEbay().find(({ title }) => title === 'Wool coat no 7')?.imageUrls).toEqual([address])
  const onEtsy = liveOnEtsy().find(({ title }) => title === 'Wool coat no 7')!
  expect(onEtsy.taxonomyId).toBe(374)
  const there = `${server.services.config.ETSY_API_URL}/image/${onEtsy.listingId}/il_fullxfull.${onEtsy.uploads![0]!.id}.png`
  const received = Buffer.from(await (await fetch(there)).arrayBuffer())
  expect(received.equals(served)).toBe(true)
  expect(await sharp(received).metadata()).toMatchObject({ format: 'jpeg', width: 1_200, height: 900 })
  for (let n = 0; n < unlisted; n++) await insertItem(server.services.db, seller.user_id, { sku: `KEPT-${n}` })
})

it('say in plain words what was refused', async () => {
  const printedBy = async (name: string, args: string[], more: Record<string, string>) => {
    const program = await start(name, args, more)
    let printed = ''
    for (const stream of [program.stdout!, program.stderr!]) stream.on('data', (chunk) => (printed += chunk))
    const code = await new Promise((resolve) => program.once('close', resolve))
    return { code, lines: printed.trimEnd().split('\n') }
  }
  await writeFile(join(client.folder, 'bad.json'), JSON.stringify([{ sku: 'EX-0', title: '', price: 1, photos: [] }]))
  expect(await printedBy('create-and-list.mjs', ['bad.json'], {})).toEqual({
    code: 1,
    lines: [expect.stringMatching(/^EX-0 was not added: title: /)],
  })
  const wrong = { HAPAX_KEY: 'hpxk_wrong' }
  expect(await printedBy('export-to-csv.mjs', ['none.csv'], wrong)).toEqual({
    code: 1,
    lines: ['The inventory was not exported: A valid credential is needed.'],
  })
  expect(await printedBy('mirror-stock.mjs', ['http://127.0.0.1:9/hook'], { ...wrong, PORT: '0' })).toEqual({
    code: 1,
    lines: ['The stock cannot be mirrored: A valid credential is needed.'],
  })
})

it('exports the inventory to a CSV file', async () => {
  await linesOf(await start('export-to-csv.mjs', ['inventory.csv']))
  const csv = await readFile(join(client.folder, 'inventory.csv'), 'utf8')
  const data: { sku: string; title: string }[] = parse(csv, { columns: true, bom: true })
  expect(data).toHaveLength(count + unlisted)
  expect(data.find(({ sku }) => sku === 'EX-7')?.title).toBe('Wool coat no 7')
})

it('mirrors the stock by webhooks, as things are sold, added and deleted', async () => {
  const port = await freePorts(1)
  mirror = await start('mirror-stock.mjs', [`http://127.0.0.1:${port}/hook`], { PORT: String(port) })
  let printed = ''
  mirror.stdout!.on('data', (chunk) => (printed += chunk))
  const mirrored = () => {
    const [last = '[]'] = printed.split('\n').slice(0, -1).slice(-1)
    const stock = JSON.parse(last) as { sku: string; state: string }[]
    return stock.map(({ sku, state }) => `${sku} ${state}`).sort()
  }
  const stock = async () => {
    const pages = [(await call('GET', '?page_size=100')).body]
    while (pages.at(-1).next_cursor) {
      pages.push((await call('GET', `?page_size=100&cursor=${pages.at(-1).next_cursor}`)).body)
    }
    return pages.flatMap(({ results }) => results.map((item: Item) => `${item.sku} ${item.record.lifecycle.state}`))
  }
  await until(mirrored, (now) => now.length === count + unlisted)

  const body = {
    ...{ title: 'A hat', images: ['https://pictures.example/1.jpg'], condition: { label: 'Used' } },
    offer: { price_minor: 900, currency: 'USD' },
  }
  await call('POST', '', { ...body, sku: 'ADDED' })
  const { uid } = (await call('POST', '', { ...body, sku: 'DELETED' })).body
  await call('DELETE', `${uid}/`)
  const bought = liveOnEbay().find(({ title }) => title === 'Wool coat no 7')!
  sandbox.ebay.market.buy(bought.itemId)
  const isMirrored = (now: string[]) =>
    now.includes('EX-7 sold') && now.includes('ADDED available') && !now.includes('DELETED available')
  await until(mirrored, (now) => printed.includes('"DELETED"') && isMirrored(now))
  await until(liveOnEtsy, (live) => live.length === count - 1)
  expect(mirrored()).toEqual((await stock()).sort())
  expect(mirrored()).toHaveLength(count + unlisted + 1)

  // Somebody else's delivery changes nothing.
  const forged = await fetch(`http://127.0.0.1:${port}/hook`, {
    method: 'POST',
    headers: { 'webhook-id': 'evt_1', 'webhook-timestamp': String(Math.floor(Date.now() / 1_000)) },
    body: JSON.stringify({ type: 'item.deleted', inventory_item_uid: uid, data: {} }),
  })
  expect(forged.status).toBe(400)
  expect(mirrored()).toHaveLength(count + unlisted + 1)
})

interface Item {
  sku: string
  record: { lifecycle: { state: string } }
}
