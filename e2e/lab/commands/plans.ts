import { glob, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { closeDatabase, openDatabase, type Queries } from '#server/infra/db/index.ts'
import { root } from '#tools/root.ts'
import { parseQueries } from '#tools/write-queries.ts'

/**
 * `npm run lab -- plans` with DATABASE_URL at a distributed database: explains each statement of the server for one user, and
 * lists those that do not go to one shard, with their cost. `--all` lists the others, too.
 */
async function main(url: string | undefined, everything: boolean): Promise<void> {
  if (!url) throw new Error('DATABASE_URL must be set to the coordinator of a distributed database.')
  const db = openDatabase({ url, max: 1 })
  const counts = new Map<string, number>()
  const connection = await db.connect()
  try {
    for await (const file of glob('server/**/queries.sql', { cwd: root })) {
      for (const { name, text, parameters } of parseQueries(await readFile(`${root}/${file}`, 'utf8')).queries) {
        const { kind, detail } = await explain(connection, text, parameters)
        counts.set(kind, (counts.get(kind) ?? 0) + 1)
        if (everything || (kind !== 'one shard' && kind !== 'coordinator'))
          process.stdout.write(`${kind}\t${dirname(file).slice('server/'.length)}/${name}\t${detail}\n`)
      }
    }
  } finally {
    connection.done()
    await closeDatabase(db)
  }
  process.stdout.write(`${[...counts].map(([kind, count]) => `${count} ${kind}`).join(', ')}\n`)
}

type Node = { [key: string]: unknown; Plans?: Node[] }

async function explain(connection: Queries, text: string, parameters: string[]) {
  if (/^set\b/.test(text)) return { kind: 'coordinator', detail: '' }
  try {
    await connection.none('deallocate all')
    await connection.none(`prepare explained as ${text}`)
    const { types } = await connection.one<{ types: string[] }>(
      "select parameter_types::text[] as types from pg_prepared_statements where name = 'explained'",
    )
    // As literals: Citus cannot explain every statement with parameters.
    const literal = text.replace(/\$(\d+)/g, (_, number) => anyValue(types[number - 1]!, parameters[number - 1]!))
    const row = await connection.one<{ 'QUERY PLAN': [{ Plan: Node }] }>(`explain (format json) ${literal}`)
    return classify(row['QUERY PLAN'][0].Plan)
  } catch (error) {
    return { kind: 'refused', detail: (error as Error).message }
  }
}

/** Returns any value of a type that PostgreSQL does not simplify away. The user is one that has a shard. */
function anyValue(type: string, parameter: string): string {
  if (/user|holder/.test(parameter) && type === 'integer') return '1'
  if (type.endsWith('[]')) return `'{}'::${type}`
  const value = /json/.test(type)
    ? '{}'
    : /time|date/.test(type)
      ? '2026-01-01'
      : type === 'boolean'
        ? 'true'
        : type === 'uuid'
          ? '00000000-0000-0000-0000-000000000001'
          : type === 'bytea'
            ? '\\x01'
            : type === 'interval'
              ? '1 day'
              : '1'
  return `'${value}'::${type}`
}

/** Finds Citus' scan in a plan: how many shards it asks, and how many results go through the coordinator first. */
function classify(plan: Node): { kind: string; detail: string } {
  const text = JSON.stringify(plan)
  const tasks = [...text.matchAll(/"Task Count":(\d+)/g)].map(([, count]) => Number(count))
  const subplans = text.match(/"Subplan"|"PlannedStmt"/g)?.length ?? 0
  const detail = `cost ${plan['Total Cost']}, shards ${tasks.join('+') || 0}`
  if (tasks.length === 0) return { kind: 'coordinator', detail }
  // Citus runs such a statement and writes nothing.
  if (tasks.includes(0)) return { kind: 'no shard', detail }
  if (tasks.length === 1 && tasks[0]! <= 1 && subplans === 0) return { kind: 'one shard', detail }
  return { kind: tasks.every((count) => count <= 1) ? 'several steps' : 'several shards', detail }
}

const { values } = parseArgs({ options: { all: { type: 'boolean', default: false } } })
await main(process.env.DATABASE_URL, values.all)
