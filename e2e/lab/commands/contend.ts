import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { checkInvariants } from '#e2e/harness/campaigns/invariants.ts'
import { startEmbeddedDatabase } from '#server/infra/db/embedded.ts'
import { closeDatabase, openDatabase } from '#server/infra/db/index.ts'
import { migrate } from '#server/infra/db/migrate.ts'
import { contend } from '../contention/contend.ts'

/**
 * Runs 100,000 sale attempts by 64 clients on a new PostgreSQL. Exits with 1 if an item was sold twice or another
 * invariant is broken. `--attempts` sets the number, `--seed` the random choices. `--mutant` runs broken queries, which
 * must be caught.
 */
const { values } = parseArgs({
  options: {
    attempts: { type: 'string', default: '100000' },
    clients: { type: 'string', default: '64' },
    seed: { type: 'string' },
    mutant: { type: 'boolean', default: false },
  },
})
const say = (line: string) => process.stdout.write(`${line}\n`)
const [attempts, clients] = [Number(values.attempts), Number(values.clients)]
const seed = values.seed === undefined ? Math.floor(Math.random() * 1e9) : Number(values.seed)

const directory = await mkdtemp(join(tmpdir(), 'hapax-contend-'))
const server = await startEmbeddedDatabase(directory, { throwaway: true })
let failed = true
try {
  await migrate(server.url)
  const db = openDatabase({ url: server.url, max: clients })
  try {
    say(`${attempts} sale attempts by ${clients} clients, seed ${seed}${values.mutant ? ', read-then-write' : ''}`)
    const result = await contend(db, {
      attempts,
      clients,
      seed,
      mutant: values.mutant,
      onProgress: (done) => {
        if (done % 10_000 === 0) say(`  ${done} …`)
      },
    })
    const rate = Math.round(result.attempts / result.seconds)
    say(`${result.attempts} attempts on ${result.items} items in ${result.seconds.toFixed(1)} s (${rate} a second):`)
    say(
      `  ${Object.entries(result.outcomes)
        .map(([outcome, count]) => `${count} ${outcome}`)
        .join(', ')}`,
    )
    failed = result.soldTwice.length > 0
    if (failed) {
      const first = result.soldTwice[0]!
      say(
        `SOLD TWICE: ${result.soldTwice.length} items, found after ${result.foundAfter} attempts; ${first.item_uid} has ${first.sales} live sales.`,
      )
    } else {
      failed = true
      await checkInvariants(db)
      failed = false
      say('No item has two live sales; all invariants hold.')
    }
  } finally {
    await closeDatabase(db)
  }
} catch (error) {
  say(String(error))
} finally {
  await server.stop()
  await rm(directory, { recursive: true, force: true })
}
process.exit(failed ? 1 : 0)
