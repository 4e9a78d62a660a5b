import { setTimeout as delay } from 'node:timers/promises'
import { closeDatabase, openDatabase } from '#server/db/index.ts'
import { createQuota } from '../quota.ts'

/*
 * A process of its own that takes all it can get from Etsy's budget for a while, and prints when it was granted each
 * call (milliseconds since 1970): node take-many.ts <database url> <shop> <milliseconds> <plan as JSON>
 */
const [url = '', shop = '', milliseconds = '', plan = ''] = process.argv.slice(2)
const db = openDatabase({ url, max: 4 })
const quota = createQuota({ db, plans: { etsy: JSON.parse(plan) } })
const end = Date.now() + Number(milliseconds)
const times: number[] = []

async function takeOn(): Promise<void> {
  while (Date.now() < end) {
    const { granted, waitMs } = await quota.take({ platform: 'etsy', app: 'app', shop }, 'bulk')
    if (granted > 0) times.push(Date.now())
    else await delay(Math.min(waitMs, Math.max(0, end - Date.now())))
  }
}

await Promise.all(Array.from({ length: 8 }, takeOn))
await closeDatabase(db)
process.stdout.write(JSON.stringify(times))
