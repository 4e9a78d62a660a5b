import { type Queries, sql } from '#server/infra/db/index.ts'

const readTables = sql(import.meta.url, './sql/read-tables.sql')
const readIndexes = sql(import.meta.url, './sql/read-indexes.sql')
const readRoutines = sql(import.meta.url, './sql/read-routines.sql')

interface TableRow {
  name: string
  columns: string[]
  constraints: string[]
}

/**
 * Returns the schema of a migrated database as readable SQL in a fixed order, for readers and for the test of schema.sql. The
 * embedded PostgreSQL ships no pg_dump.
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
  return `-- Made from the migrations and functions by npm run schema. Do not edit.\n\n${[...parts, ...routines.map((routine) => `${routine.definition};`)].join('\n\n')}\n`
}
