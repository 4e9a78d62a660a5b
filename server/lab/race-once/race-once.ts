import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { raceOnce, singleUse, startSingleUseStage } from '#server/accounts/auth/testing/single-use.ts'
import { startEmbeddedDatabase } from '#server/infra/db/embedded.ts'
import { closeDatabase, openDatabase } from '#server/infra/db/index.ts'
import { migrate } from '#server/infra/db/migrate.ts'

/**
 * Uses every single-use secret (codes, tokens, tickets, states) 32 times concurrently, in 10,000 rounds of each. It
 * runs over real HTTP and a new PostgreSQL. Exits with 1 if one worked twice or not at all. The kinds alternate, so a
 * run limited by `--minutes` has equal rounds of each. `--rounds` and `--parallel` change the counts.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10000' },
    parallel: { type: 'string', default: '32' },
    minutes: { type: 'string', default: '600' },
  },
})
const say = (line: string) => process.stdout.write(`${line}\n`)
const [rounds, attempts, endsMs] = [
  Number(values.rounds),
  Number(values.parallel),
  performance.now() + Number(values.minutes) * 60_000,
]

const directory = await mkdtemp(join(tmpdir(), 'hapax-race-once-'))
const database = await startEmbeddedDatabase(directory, { throwaway: true })
let failed = true
try {
  await migrate(database.url)
  const db = openDatabase({ url: database.url, max: 30 })
  const stage = await startSingleUseStage({ url: database.url, db, drop: () => closeDatabase(db) })
  try {
    let done = 0
    let refusedRounds = 0
    while (done < rounds && performance.now() < endsMs) {
      for (const secret of singleUse) while (!(await raceOnce(stage, secret, attempts))) refusedRounds++
      done++
      if (done % 100 === 0) say(`  ${done} rounds of each …`)
    }
    const kinds = singleUse.map(({ name }) => name).join('; ')
    say(`${done} rounds of ${attempts} at once, exactly one success each: ${kinds}.`)
    if (refusedRounds > 0)
      say(`${refusedRounds} more rounds did not count: the machine was too busy to answer all of them (503).`)
    failed = false
  } finally {
    await stage.close()
  }
} catch (error) {
  say(String(error))
} finally {
  await database.stop()
  await rm(directory, { recursive: true, force: true })
}
process.exit(failed ? 1 : 0)
