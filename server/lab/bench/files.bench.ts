import { parseArgs } from 'node:util'
import { exportItems } from '#server/catalog/inventory-files/export-items.ts'
import { importItems } from '#server/catalog/inventory-files/import-items.ts'
import { readFile } from '#server/catalog/inventory-files/read-file.ts'
import { buildAccount } from '#server/testing/account.ts'
import { setImportStage } from './import-stage.ts'
import { backendsOf, processorMs } from './processor-time.ts'

/**
 * Measures the import and the export of a CSV file, beside as many bare commits of one row each. `--rows` changes the
 * size.
 */
const { values } = parseArgs({ options: { rows: { type: 'string', default: '10000' } }, allowPositionals: true })
const rows = Number(values.rows)

const stage = await setImportStage()
const { services } = stage
const { db, config } = services

const csv = (price: number) =>
  [
    'sku,title,description,price,currency,condition,images,brand,size',
    ...Array.from({ length: rows }, (_, n) =>
      [
        ...[`B-${n}`, `Vintage wool coat no. ${n}`, 'A lovely coat. '.repeat(20), `${price}.00`, 'USD', 'Good'],
        ...[`https://pictures.example/${n}.jpg`, 'Acme', 'M'],
      ].join(','),
    ),
  ].join('\n')

try {
  const { user_id } = await buildAccount(db)
  await db.none('create table bare (id serial primary key, value text)')
  await measure('bare commits', async function* () {
    for (let at = 0; at < rows; at++) {
      await db.tx((tx) => tx.none('insert into bare (value) values ($1)', [`${at}`]))
      yield ''
    }
  })
  const upload = (price: number, isDryRun = false) =>
    async function* () {
      yield* importItems(services, user_id, await readFile(csv(price)), { isDryRun, currency: undefined })
    }
  await measure('dry run of new rows', upload(25, true))
  await measure('new rows', upload(25))
  await measure('unchanged rows', upload(25))
  await measure('changed rows', upload(30))
  await measure('export', () => exportItems(db, config.PUBLIC_URL, { user_id }))
} finally {
  await stage.close()
}
process.exit(0)

async function measure(name: string, run: () => AsyncGenerator<string>): Promise<void> {
  global.gc?.()
  const before = await state()
  let [largest, longestMs, last] = [0, 0, performance.now()]
  let tail = ''
  const begun = performance.now()
  for await (const part of run()) {
    longestMs = Math.max(longestMs, performance.now() - last)
    last = performance.now()
    largest = Math.max(largest, process.memoryUsage().rss)
    tail = part
  }
  const ms = performance.now() - begun
  const after = await state()
  const share = (of: number) => ((of / rows) * 1_000).toFixed(0)
  const counts = tail.includes('"created"') ? ` ${tail.slice(2, -1)}` : ''
  console.log(
    `${rows} ${name}: ${(ms / 1_000).toFixed(1)} s, ${(rows / (ms / 1_000)).toFixed(0)} a second; processor time a row ` +
      `${share(after.node - before.node)} µs here, ${share(after.database - before.database)} µs in PostgreSQL; ` +
      `${((after.commits - before.commits) / rows).toFixed(2)} commits a row; longest wait for a part ${longestMs.toFixed(0)} ms; ` +
      `memory ${((largest - before.rss) / 1e6).toFixed(0)} MB more${counts}`,
  )
}

async function state() {
  const { commits } = await db.one<{ commits: number }>(
    'select xact_commit as commits from pg_stat_database where datname = current_database()',
  )
  const { user, system } = process.cpuUsage()
  return {
    commits,
    node: (user + system) / 1_000,
    database: processorMs(await backendsOf(db)) ?? 0,
    rss: process.memoryUsage().rss,
  }
}
