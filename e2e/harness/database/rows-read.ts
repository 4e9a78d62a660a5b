import type { Queries } from '#server/infra/db/index.ts'
import type { Statement } from '#server/infra/db/statement.ts'

interface PlanNode {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: PlanNode[]
}

/**
 * Runs a statement with its values in its text, as PostgreSQL plans it for them, and returns how many rows of each table it
 * read. Combined indexes count once.
 */
export async function rowsRead(
  queries: Queries,
  { text, values }: Statement<unknown>,
): Promise<Record<string, number>> {
  return addUp(await queries.one(`explain (analyze, format json) ${text}`, values))
}

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
