import { listItems } from '#server/catalog/inventory/read-items.ts'
import { buildAccount } from '#server/testing/account.ts'
import { fillInventory } from './fill-inventory.ts'
import { median, setStage } from './stage.ts'

/**
 * Lists 50 items at several depths of an inventory of 1,000,000, compared with one of 1,000. Wanted: at most 1.2 times
 * the time.
 */
const sizes = { small: 1_000, big: 1_000_000 }
const mostTimes = 1.2

const stage = await setStage(50)
const { db } = stage
let failed = false
try {
  const small = (await buildAccount(db)).user_id
  const big = (await buildAccount(db)).user_id
  await fillInventory(db, small, sizes.small)
  await fillInventory(db, big, sizes.big)
  await db.none('vacuum analyze')
  await compareDepths(small, big)
} finally {
  await stage.close()
}
process.exit(failed ? 1 : 0)

async function compareDepths(small: number, big: number): Promise<void> {
  // Alternate, so that other load on the machine affects all alike.
  const places = {
    [`${sizes.small} items`]: { user_id: small, share: 0.5 },
    [`${sizes.big} items, first page`]: { user_id: big, share: 1 },
    [`${sizes.big} items, half way`]: { user_id: big, share: 0.5 },
    [`${sizes.big} items, last page`]: { user_id: big, share: 0.0001 },
  }
  const times = Object.fromEntries(Object.keys(places).map((name) => [name, [] as number[]]))
  for (let round = 0; round < 400; round++) {
    for (const [name, { user_id, share }] of Object.entries(places)) {
      const cursor = cursorAt(user_id === big ? sizes.big : sizes.small, share)
      const startedMs = performance.now()
      const { results } = await listItems(db, 'https://hapax.example', { user_id, cursor, page_size: 50 })
      if (round >= 50) times[name]!.push(performance.now() - startedMs)
      if (results.length !== 50) throw new Error(`${name}: ${results.length} items`)
    }
  }
  const base = median(times[`${sizes.small} items`]!)
  for (const [name, measured] of Object.entries(times)) {
    const ratio = median(measured) / base
    report(
      `${name}: ${median(measured).toFixed(2)} ms for 50, ${ratio.toFixed(2)} times (wanted: ${mostTimes})`,
      ratio <= mostTimes,
    )
  }
}

function report(line: string, reached: boolean): void {
  failed ||= !reached
  console.log(`${line}${reached ? '' : '  MISSED'}`)
}

/** Returns a cursor at a share of the inventory, slightly different each time. */
function cursorAt(count: number, share: number): string {
  const number = Math.max(60, Math.floor(count * share) - Math.floor(Math.random() * 100))
  return Buffer.from(`inv_${String(number).padStart(22, '0')}`).toString('base64url')
}
