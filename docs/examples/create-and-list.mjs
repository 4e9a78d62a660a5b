// Adds items with photos and lists them on eBay and Etsy: HAPAX_URL=… HAPAX_KEY=… node create-and-list.mjs items.json
import { readFile } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { createHapax } from '@hapax/client'

const hapax = createHapax({ baseUrl: process.env.HAPAX_URL, apiKey: process.env.HAPAX_KEY })
const waiting = JSON.parse(await readFile(process.argv[2], 'utf8'))
const items = []
const upload = async (file) => (await hapax.call('createImage', { body: await readFile(file) })).url
async function add({ sku, title, price, photos, options }) {
  const offer = { price_minor: Math.round(price * 100), currency: 'USD' }
  const body = { sku, title, images: await Promise.all(photos.map(upload)), condition: { label: 'Used' }, offer }
  items.push({ uid: (await hapax.call('createInventoryItem', { body })).uid, options })
}
async function addSome() {
  for (let item = waiting.shift(); item; item = waiting.shift())
    await add(item).catch((error) => console.log(`${item.sku} was not added: ${error.message}`))
}
async function list() {
  let job = await hapax.call('bulkList', { body: { items, platforms: ['ebay', 'etsy'] } })
  for (; job.status !== 'completed'; job = await hapax.call('getBulkJob', { params: { uid: job.uid } }))
    await pause(1_000)
  console.log(`${job.succeeded} of ${job.total} listed`)
  const failed = hapax.pages('getBulkJob', { params: { uid: job.uid }, query: { status: 'failed' } })
  for await (const one of failed) console.log(one.inventory_item_uid, one.platform, one.error_message)
}
await Promise.all([addSome(), addSome(), addSome(), addSome()])
if (items.length === 0) process.exit(1)
await list().catch((error) => console.error(`Nothing was listed: ${error.message}`))
