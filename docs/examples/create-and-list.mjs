// Adds items with pictures and lists them on eBay: HAPAX_URL=… HAPAX_KEY=… node create-and-list.mjs items.json
import { readFile } from 'node:fs/promises'
import { createHapax, HapaxError } from '@hapax/client'

const hapax = createHapax({ baseUrl: process.env.HAPAX_URL, apiKey: process.env.HAPAX_KEY })
for (const { sku, title, pictures, price } of JSON.parse(await readFile(process.argv[2], 'utf8'))) {
  try {
    const item = await hapax.call('createInventoryItem', {
      body: {
        sku,
        title,
        images: pictures,
        condition: { label: 'Used' },
        offer: { price_minor: Math.round(price * 100), currency: 'USD' },
      },
    })
    const params = { uid: item.uid, slug: 'ebay' }
    const { status, listing_url } = await hapax.call('listItem', { params, body: { price: price.toFixed(2) } })
    console.log(sku, status, listing_url)
  } catch (error) {
    if (!(error instanceof HapaxError)) throw error
    console.log(sku, error.code, error.message)
  }
}
