import { readFile } from 'node:fs/promises'
import type { Queries } from '#server/infra/db/index.ts'

interface PlanNode {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: PlanNode[]
}

/** Runs the query in a file and returns how many rows of each table it read. Combined indexes count once. */
export async function rowsRead(queries: Queries, file: URL, values: object): Promise<Record<string, number>> {
  return addUp(await queries.one(`explain (analyze, format json) ${await readText(file)}`, values))
}

<<<<<<< HEAD
/** Returns the same for the generic plan of a prepared query. */
export async function rowsReadPrepared(
  tx: Transaction,
  file: URL,
  values: Record<string, unknown>,
): Promise<Record<string, number>> {
  const parameters: string[] = []
  const text = (await readText(file)).replace(/\$\{(\w+)\}/g, (_whole, name: string) => {
    if (!parameters.includes(name)) parameters.push(name)
    return `$${parameters.indexOf(name) + 1}`
  })
  await tx.none(`set local plan_cache_mode = force_generic_plan; prepare looked_at as ${text}`)
  const given = parameters.map((name) => pgPromise.as.format('$1', [values[name]]))
  const read = addUp(await tx.one(`explain (analyze, format json) execute looked_at(${given.join(',')})`))
  await tx.none('deallocate looked_at')
  return read
}

/**
 * Returns how many rows of each table the work reads, with the connection's cached plans. `db` must have a single
 * connection and no other client.
 */
export async function rowsReadBy(db: Queries, work: () => Promise<unknown>): Promise<[table: string, rows: number][]> {
  const counts = async () => {
    await db.any('select pg_stat_force_next_flush()')
    const rows = await db.any<{ relname: string; rows: number }>(`
      select relname, (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::integer as rows from pg_stat_user_tables`)
    return new Map(rows.map((row) => [row.relname, row.rows]))
  }
  const before = await counts()
  await work()
  return [...(await counts())].map(([table, rows]) => [table, rows - (before.get(table) ?? 0)])
}

=======
>>>>>>> 43a3dd41 (Send sales as plain queries)
const readText = async (file: URL) => (await readFile(file, 'utf8')).replace(/^\s*--.*$/gm, '')

function addUp(plan: { 'QUERY PLAN': { Plan: PlanNode }[] }): Record<string, number> {
  const read: Record<string, number> = {}
  const add = (node: PlanNode) => {
    const table = node['Relation Name']
    const each =
      node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
    if (table) read[table] = (read[table] ?? 0) + each * node['Actual Loops']
    for (const child of node.Plans ?? []) add(child)
  }
  add(plan['QUERY PLAN'][0]!.Plan)
  return read
}
