import { parseArgs } from 'node:util'
import { listItems } from '#server/catalog/inventory/read-items.ts'
import type { Database } from '#server/infra/db/index.ts'
import { markSoldInPerson } from '#server/selling/sales/mark-sold-in-person.ts'
import type { Services } from '#server/services.ts'
import { fillSellers } from './fill-sellers.ts'
import { fakePlatform, importAsNewSeller } from './import-rates.ts'
import { setImportStage } from './import-stage.ts'
import { median } from './stage.ts'

/**
 * Measures what one seller's requests cost in a database of many sellers: a page of 50, a search, an import of 300
 * listings, a sale up to its recorded take-downs. Several databases take turns in one run and are compared with the first:
 *
 *     npm run bench capacity -- --sellers 10000 --items 200 --databases plain=postgres://…,citus=postgres://…
 *
 * Without `--databases` it measures an embedded one alone. A database that has sellers already is not filled again.
 */
const { values } = parseArgs({
  options: {
    sellers: { type: 'string', default: '1000' },
    items: { type: 'string', default: '200' },
    rounds: { type: 'string', default: '5' },
    'at-once': { type: 'string', default: '8' },
    databases: { type: 'string', default: '' },
  },
  allowPositionals: true,
})
const [sellers, items] = [Number(values.sellers), Number(values.items)]
const [rounds, atOnce] = [Number(values.rounds), Number(values['at-once'])]
const requests = 50 * atOnce

interface Place {
  name: string
  services: Services
  close(): Promise<void>
  /** The ids of the sellers who were filled in. */
  users: number[]
}
type Work = (place: Place, turn: number) => Promise<unknown>

let sold = 0
const one = <T>(of: readonly T[], turn: number) => of[(turn * 7_919) % of.length] as T
const works: Record<string, { work: Work; count: number }> = {
  'a page of 50': { count: requests, work: (place, turn) => list(place, turn, {}) },
  'a search': { count: requests, work: (place, turn) => list(place, turn, { q: `coat ${turn % items}` }) },
  'an import of 300': { count: 2, work: ({ services }) => importAsNewSeller(services, fakePlatform(300)) },
  'a sale': {
    count: requests / 4,
    work: ({ services, users }, turn) => {
      const item = Math.floor(sold++ / users.length) % items
      return markSoldInPerson(services, {
        user_id: one(users, turn),
        item_uid: `inv_${String(item).padStart(22, '0')}`,
      })
    },
  },
}

const places: Place[] = []
try {
  for (const [name = '', url] of values.databases.split(',').map((given) => given.split(/=(.*)/s))) {
    const stage = await setImportStage(url || undefined)
    const { db } = stage.services
    const startedMs = performance.now()
    const users = await fillSellers(db, sellers, items)
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(0)
    places.push({ name: name || 'embedded', ...stage, users })
    // An earlier run on this database has sold the first items.
    const { most } = await db.one<{ most: number }>(
      'select coalesce(max(count), 0)::integer as most from (select count(*) from sale group by user_id) as of_user',
    )
    sold = Math.max(sold, most * users.length)
    console.log(`${name || 'embedded'}: ${sellers} sellers with ${items} items each, filled in ${seconds} s`)
  }
  for (const [what, { work, count }] of Object.entries(works)) {
    const took = new Map(places.map(({ name }) => [name, [] as number[]]))
    for (let round = 0; round <= rounds; round++) {
      for (const place of round % 2 ? places.toReversed() : places) {
        const ms = await timed(place, work, count, round * count)
        // The first round warms up.
        if (round > 0) took.get(place.name)?.push(ms)
      }
    }
    const first = median(took.get(places[0]!.name) ?? [])
    for (const [name, times] of took) {
      const rate = (count * 1000) / median(times)
      console.log(`${what}, ${name}: ${(first / median(times)).toFixed(2)} of the first; ${rate.toFixed(1)} a second`)
    }
  }
  for (const { name, services } of places) {
    const { connections } = await services.db.one<{ connections: number }>(
      'select count(*)::integer as connections from pg_stat_activity where datname = current_database()',
    )
    const nodes = await nodeBytes(services.db)
    const each = nodes.reduce((sum, bytes) => sum + bytes, 0) / sellers / items
    const largest = Math.max(...nodes) / sellers / items
    console.log(
      `${name}: ${each.toFixed(0)} bytes an item, ${largest.toFixed(0)} on the largest node; ${connections} connections`,
    )
  }
} finally {
  for (const { close } of places) await close()
}
process.exit(0)

/** Returns the size of the database on each node. Plain PostgreSQL is one node. */
async function nodeBytes(db: Database): Promise<number[]> {
  const size = 'select pg_database_size(current_database())::float8 as bytes'
  const citus = await db.any("select from pg_extension where extname = 'citus'")
  const sizes = citus.length > 0 ? 'select result::float8 as bytes from run_command_on_all_nodes($1)' : size
  return db.map(sizes, [size], ({ bytes }: { bytes: number }) => bytes)
}

async function list({ services, users }: Place, turn: number, filter: { q?: string }): Promise<void> {
  const { results } = await listItems(services.db, 'http://127.0.0.1', {
    ...{ user_id: one(users, turn), page_size: 50, ...filter },
  })
  if (results.length === 0) throw new Error('the seller has no such items')
}

/** Runs the work `count` times, `atOnce` at a time. Returns the ms that all took. */
async function timed(place: Place, work: Work, count: number, from: number): Promise<number> {
  let next = 0
  const startedMs = performance.now()
  const lane = async () => {
    while (next < count) await work(place, from + next++)
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, lane))
  return performance.now() - startedMs
}
