import { type Queries, sql } from '#server/infra/db/index.ts'
import { listTablesOf } from './owned-tables.ts'

const findAccount = sql(import.meta.url, './sql/find-exported-account.sql')
const listHidden = sql(import.meta.url, './sql/list-hidden-columns.sql')
const exportRows = sql(import.meta.url, './sql/export-rows.sql')

/** Rows that are read at once. */
const limit = 500

/** Tables that say nothing about the seller: answers kept for a repeated call, and words of the matcher's index. */
export const leftOut = [
  'idempotent_call',
  'match_item',
  'match_word',
  'import_preview',
  'event_counter',
  'import_batch',
]

/**
 * Everything about an account as JSON text, in pieces: `{exported_at, account, data: {<table>: [row, …]}}`. Hashes, sealed
 * secrets and codes are left out. Read in steps, so memory stays bounded; what changes meanwhile is as it is read.
 */
export async function* exportAccount(db: Queries, user_id: number, now: Date): AsyncGenerator<string> {
  const account = await db.one(findAccount, { user_id })
  yield `{"exported_at":${JSON.stringify(now.toISOString())},"account":${JSON.stringify(account)},"data":{`
  const tables = (await listTablesOf(db)).filter(({ name }) => !leftOut.includes(name))
  for (const [index, { name: table, key }] of tables.entries()) {
    yield `${index === 0 ? '' : ','}${JSON.stringify(table)}:[`
    const { hidden } = await db.one<{ hidden: string[] }>(listHidden, { table })
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
