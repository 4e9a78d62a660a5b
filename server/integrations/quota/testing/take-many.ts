import { closeDatabase, openDatabase } from '#server/infra/db/index.ts'
import { createQuota } from '../quota.ts'

/*
 * Takes calls from Etsy's budget until none is granted, and prints the number: node take-many.ts <database url>
 * <plan as JSON>
 */
const [url = '', plan = ''] = process.argv.slice(2)
const db = openDatabase({ url, max: 4 })
const quota = createQuota({ db, plans: { etsy: JSON.parse(plan) } })
let taken = 0

async function takeAll(): Promise<void> {
  while ((await quota.take({ platform: 'etsy', app: 'app', shop: '' }, 'bulk')).granted > 0) taken++
}

await Promise.all(Array.from({ length: 8 }, takeAll))
await closeDatabase(db)
process.stdout.write(String(taken))
