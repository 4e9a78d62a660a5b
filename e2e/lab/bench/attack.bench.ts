import { parseArgs } from 'node:util'
import { hash } from '@node-rs/argon2'
import { buildAccount } from '#e2e/harness/account.ts'
import { runs } from '#server/infra/ways-in/testing/all-runs.ts'
import { kinds, type Stage } from '#server/infra/ways-in/testing/runs.ts'
import type { WayInName } from '#server/infra/ways-in/ways-in.ts'
import { requestText, runOnce } from './load.ts'
import { openSales } from './sale-turns.ts'
import { benchPassword } from './stage.ts'

/**
 * Measures what is promised to a seller while ten other accounts attack: `npm run bench attack [-- --rounds 20]`. Signs in,
 * imports a file and sells an item, quiet and while each hostile run of the ways in by HTTP goes on, and prints p50, p99
 * and their ratios. Never a verdict.
 */
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '20' } }, allowPositionals: true })
const rounds = Number(values.rounds)
const ways: WayInName[] = ['json', 'batch', 'bulk', 'csv', 'upload', 'mcp', 'anonymous', 'notice']

const sales = await openSales()
const { db, port } = sales
await db.none('update app_user set password_hash = $1', [
  await hash(benchPassword, { memoryCost: 19_456, timeCost: 2, parallelism: 1 }),
])
const victim = sales.accounts[0]!
const attackers = await Promise.all(Array.from({ length: 10 }, () => buildAccount(db)))
const stage: Stage = { port, impatientPort: port, smtpPort: 0, accounts: attackers, addresses: [] }

const signIn = requestText('POST', '/api/auth/login/', {}, { email: victim.email, password: benchPassword })
const file = `sku,title,price\n${Array.from({ length: 20 }, (_, row) => `S-${row},Lamp ${row},10.00`).join('\n')}\n`
const promises: Record<string, () => Promise<unknown>> = {
  'sign-in': () => runOnce(port, signIn),
  import: () =>
    fetch(`http://127.0.0.1:${port}/api/v1/inventory/import/?dry_run=true`, {
      method: 'POST',
      headers: { ...victim.key, 'content-type': 'text/csv' },
      body: file,
    }).then((response) => response.text()),
  'take-down': () => sales.takenDown(),
}

/** Returns p50 and p99 of each promise in ms. */
async function measure(): Promise<Map<string, [number, number]>> {
  const found = new Map<string, [number, number]>()
  for (const [name, keep] of Object.entries(promises)) {
    const times: number[] = []
    for (let round = 0; round < rounds; round++) {
      const startedMs = performance.now()
      const ownMs = await keep()
      times.push(name === 'take-down' ? Number(ownMs) : performance.now() - startedMs)
    }
    times.sort((one, other) => one - other)
    found.set(name, [times[Math.floor(rounds / 2)]!, times[rounds - 1]!])
  }
  return found
}

/** Repeats a run by ten accounts until it is stopped. */
function attack(way: WayInName): () => Promise<void> {
  let goes = true
  const cases = kinds.slice(0, 5).flatMap((kind) => (typeof runs[way][kind] === 'string' ? [] : [runs[way][kind]]))
  const all = attackers.map(async (_, account) => {
    for (let turn = 0; goes; turn++) await cases[turn % cases.length]!.run(stage, account).catch(() => undefined)
  })
  return async () => {
    goes = false
    await Promise.all(all)
  }
}

console.log('| While | Promise | p50 | p99 | p50, times | p99, times |\n|---|---|---|---|---|---|')
await measure()
const quiet = await measure()
const print = (name: string, found: typeof quiet) => {
  for (const [promise, [p50, p99]] of found) {
    const [own50, own99] = quiet.get(promise)!
    const cells = [`${p50.toFixed(0)} ms`, `${p99.toFixed(0)} ms`, (p50 / own50).toFixed(1), (p99 / own99).toFixed(1)]
    console.log(`| ${name} | ${promise} | ${cells.join(' | ')} |`)
  }
}
print('quiet', quiet)
for (const way of ways) {
  const stop = attack(way)
  print(way, await measure())
  await stop()
}
await sales.close()
process.exit(0)
