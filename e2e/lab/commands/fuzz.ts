import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { checkInvariants } from '#e2e/harness/campaigns/invariants.ts'
import { startEmbeddedDatabase } from '#server/infra/db/embedded.ts'
import { closeDatabase, openDatabase } from '#server/infra/db/index.ts'
import { migrate } from '#server/infra/db/migrate.ts'
import { fuzz } from '../fuzz/fuzz.ts'
import { startLabServer } from '../fuzz/lab-server.ts'

/**
 * Sends 100,000 random requests to a new server, by the OpenAPI document that it serves. Exits with 1 if an answer
 * contradicts the document, is a server error or shows another tenant. Prints a curl command for each finding.
 * `--requests` sets the count, `--seed` the random choices.
 */
const { values } = parseArgs({
  options: { requests: { type: 'string', default: '100000' }, seed: { type: 'string' } },
})
const say = (line: string) => process.stdout.write(`${line}\n`)
const requests = Number(values.requests)
const seed = values.seed === undefined ? Math.floor(Math.random() * 1e9) : Number(values.seed)

const directory = await mkdtemp(join(tmpdir(), 'hapax-fuzz-'))
const database = await startEmbeddedDatabase(directory, { throwaway: true })
let failed = true
try {
  await migrate(database.url)
  const server = await startLabServer(database.url, join(directory, 'data'))
  try {
    say(`${requests} requests by the document at ${server.url}/api/openapi.json, seed ${seed}`)
    const startedMs = performance.now()
    const onProgress = (sent: number) => {
      if (sent % 10_000 === 0) say(`  ${sent} …`)
    }
    const result = await fuzz({ url: server.url, seed, requests, onProgress })
    const seconds = (performance.now() - startedMs) / 1000
    say(`${result.requests} requests in ${seconds.toFixed(0)} s by ${result.tenants} accounts of three tenants:`)
    const classes = Map.groupBy([...result.statuses], ([status]) => Math.floor(status / 100))
    for (const [first, statuses] of [...classes].sort(([one], [other]) => one - other)) {
      const parts = statuses.sort(([one], [other]) => one - other).map(([status, count]) => `${status}: ${count}`)
      say(`  ${first}xx: ${statuses.reduce((sum, [, count]) => sum + count, 0)} (${parts.join(', ')})`)
    }
    for (const [name, count] of result.announced) say(`  announced: ${count} × ${name}`)
    const never = result.operationIds.filter((id) => !result.succeeded.has(id))
    say(`${result.operations} operations, ${result.succeeded.size} with a success; without one: ${never.join(', ')}`)
    say(`slowest answer: ${result.slowest.operation}, ${result.slowest.ms.toFixed(0)} ms`)
    for (const { operation, fault, mutation, times, request, curl, isRepeatable, answer } of result.findings) {
      say(`\nFOUND ${times} × ${operation}: ${fault}\n  first in request ${request}, changed: ${mutation}`)
      say(`  answer: ${answer}\n  ${isRepeatable ? 'again' : 'not again by itself'}: ${curl.slice(0, 3_000)}`)
    }
    failed = result.findings.length > 0
    if (failed) {
      const log = join(tmpdir(), `hapax-fuzz-${seed}.log`)
      await copyFile(join(directory, 'data', 'hapax.log'), log)
      say(`\nThe server's log: ${log}`)
    }
  } finally {
    await server.close()
  }
  const db = openDatabase({ url: database.url, max: 2 })
  await checkInvariants(db).finally(() => closeDatabase(db))
  if (!failed) say('No answer contradicts the document, none shows another tenant, and all invariants hold.')
} catch (error) {
  failed = true
  say(String(error instanceof Error ? error.stack : error))
} finally {
  await database.stop()
  await rm(directory, { recursive: true, force: true })
}
process.exit(failed ? 1 : 0)
