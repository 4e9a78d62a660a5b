// Writes the inventory to a CSV file: HAPAX_URL=… HAPAX_KEY=… node export-to-csv.mjs inventory.csv
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createHapax } from '@hapax/client'

const hapax = createHapax({ baseUrl: process.env.HAPAX_URL, apiKey: process.env.HAPAX_KEY })
try {
  const answer = await hapax.open('exportInventory', {})
  await pipeline(Readable.fromWeb(answer.body), createWriteStream(process.argv[2]))
} catch (error) {
  console.error(`The inventory was not exported: ${error.message}`)
  process.exitCode = 1
}
