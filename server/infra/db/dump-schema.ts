import type { Queries } from './index.ts'
import { sql } from './index.ts'

const readTables = sql(import.meta.url, './sql/read-tables.sql')
const readIndexes = sql(import.meta.url, './sql/read-indexes.sql')
const readRoutines = sql(import.meta.url, './sql/read-routines.sql')

interface TableRow {
  name: string
  columns: string[]
  constraints: string[]
}

/**
 * The schema as the migrations left it, as readable SQL in a fixed order. For eyes and for the test that holds
 * schema.sql against the migrations; the embedded PostgreSQL ships no pg_dump.
 */
export async function dumpSchema(queries: Queries): Promise<string> {
  const tables = await queries.any<TableRow>(readTables)
  const indexes = await queries.any<{ table_name: string; definition: string }>(readIndexes)
  const routines = await queries.any<{ definition: string }>(readRoutines)
  const parts = tables.map((table) => {
    const members = [...table.columns, ...table.constraints].map((member) => `  ${member}`)
    const own = indexes.filter((index) => index.table_name === table.name).map((index) => `${index.definition};`)
    return [`create table ${table.name} (\n${members.join(',\n')}\n);`, ...own].join('\n')
  })
  return `-- Made from the migrations (npm run schema); never edited by hand.\n\n${[...parts, ...routines.map((routine) => `${routine.definition};`)].join('\n\n')}\n`
}
