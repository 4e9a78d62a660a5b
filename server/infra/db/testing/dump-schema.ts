import type { Queries } from '#server/infra/db/index.ts'
import * as sql from './queries.ts'

/**
 * Returns the schema of a migrated database as readable SQL in a fixed order, for readers and for the test of schema.sql. The
 * embedded PostgreSQL ships no pg_dump.
 */
export async function dumpSchema(queries: Queries): Promise<string> {
  const tables = await queries.any(sql.readTables())
  const indexes = await queries.any(sql.readIndexes())
  const routines = await queries.any(sql.readRoutines())
  const parts = tables.map((table) => {
    const members = [...table.columns, ...table.constraints].map((member) => `  ${member}`)
    const own = indexes.filter((index) => index.table_name === table.name).map((index) => `${index.definition};`)
    return [`create table ${table.name} (\n${members.join(',\n')}\n);`, ...own].join('\n')
  })
  return `-- Made from the migrations and functions by npm run schema. Do not edit.\n\n${[...parts, ...routines.map((routine) => `${routine.definition};`)].join('\n\n')}\n`
}
