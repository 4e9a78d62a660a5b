import type { Queries } from '#server/infra/db/index.ts'
import { listTablesOf } from './owned-tables.ts'
import * as sql from './queries.ts'

// Here, since names of a table and its key cannot be bound. Leaves out columns that hold secrets or mean nothing outside.
const exportRows = `select to_jsonb(each) - $<hidden>::text[] as row
from $<table:name> each
where user_id = $<user_id>
order by $<key:name>
limit $<limit> offset $<offset>`

/** Rows read at once. */
const limit = 500

/** Tables without data about the seller: stored responses of repeated requests, and the matcher's index. */
export const leftOut = [
  'idempotent_call',
  'match_item',
  'match_word',
  'import_preview',
  'event_counter',
  'import_batch',
]

/**
 * Yields everything about an account as JSON text: `{exported_at, account, data: {<table>: [row, …]}}`. Leaves out
 * hashes, encrypted secrets and codes. Reads in steps to bound memory, so concurrent changes may be partly included.
 */
export async function* exportAccount(db: Queries, user_id: number, now: Date): AsyncGenerator<string> {
  const account = await db.one(sql.findExportedAccount({ user_id }))
  yield `{"exported_at":${JSON.stringify(now.toISOString())},"account":${JSON.stringify(account)},"data":{`
  const tables = (await listTablesOf(db)).filter(({ name }) => !leftOut.includes(name))
  for (const [index, { name: table, key }] of tables.entries()) {
    yield `${index === 0 ? '' : ','}${JSON.stringify(table)}:[`
    const { hidden } = await db.one(sql.listHiddenColumns({ table }))
    for (let offset = 0, more = true; more; offset += limit) {
      const values = { table, key: key.length > 0 ? key : ['user_id'], hidden, user_id, limit, offset }
      const rows = await db.any<{ row: object }>(exportRows, values)
      more = rows.length === limit
      if (rows.length > 0) yield `${offset === 0 ? '' : ','}${rows.map(({ row }) => JSON.stringify(row)).join(',')}`
    }
    yield ']'
  }
  yield '}}'
}
