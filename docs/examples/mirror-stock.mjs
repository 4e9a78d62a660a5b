// Mirrors the stock by webhooks: HAPAX_URL=… HAPAX_KEY=… PORT=… node mirror-stock.mjs https://me.example.com/hook
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { createHapax, verifyWebhook } from '@hapax/client'

const hapax = createHapax({ baseUrl: process.env.HAPAX_URL, apiKey: process.env.HAPAX_KEY })
const stock = new Map()
async function begin() {
  const { secret } = await hapax.call('createWebhook', { body: { url: process.argv[2] } })
  for await (const { uid, sku, version, record } of hapax.pages('listInventory', { query: { page_size: '100' } })) {
    stock.set(uid, { version, sku, state: record.lifecycle.state })
  }
  return secret
}
const secret = await begin().catch((error) => {
  console.error(`The stock cannot be mirrored: ${error.message}`)
  process.exit(1)
})
createServer(async (request, response) => {
  const event = await verifyWebhook(secret, request.headers, await text(request)).catch(() => null)
  response.writeHead(event ? 204 : 400).end()
  const { sku, item } = event?.data ?? {}
  if (event?.type === 'item.deleted' || event?.type === 'item.merged') stock.delete(event.inventory_item_uid)
  else if (item && item.version >= (stock.get(event.inventory_item_uid)?.version ?? 0)) {
    stock.set(event.inventory_item_uid, { version: item.version, sku, state: item.state })
  }
  console.log(JSON.stringify([...stock.values()]))
}).listen(process.env.PORT, () => console.log(JSON.stringify([...stock.values()])))
