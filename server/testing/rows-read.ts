import { readFile } from 'node:fs/promises'
import type { Queries } from '#server/db/index.ts'

interface PlanNode {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: PlanNode[]
}

/** Runs the query in a file and says how many rows of each table it looked at. Indexes that are only combined count once. */
export async function rowsRead(queries: Queries, file: URL, values: object): Promise<Record<string, number>> {
  const text = await readFile(file, 'utf8')
  const plan = await queries.one(`explain (analyze, format json) ${text.replace(/^--.*$/gm, '')}`, values)
  const read: Record<string, number> = {}
  const add = (node: PlanNode) => {
    const table = node['Relation Name']
    const each =
      node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
    if (table) read[table] = (read[table] ?? 0) + each * node['Actual Loops']
    for (const child of node.Plans ?? []) add(child)
  }
  add(plan['QUERY PLAN'][0].Plan)
  return read
}
