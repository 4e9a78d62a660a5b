import { type Queries, sql } from '#server/infra/db/index.ts'

const listOwnedTables = sql(import.meta.url, './sql/list-owned-tables.sql')

export interface OwnedTable {
  name: string
  /** The columns of its primary key. */
  key: string[]
}

/**
 * The tables whose rows belong to an account by their `user_id`, those that refer to others first. Read from the
 * database, so that a table that is added later is neither left out of an erasure nor of an export.
 */
export const listTablesOf = (queries: Queries) => queries.any<OwnedTable>(listOwnedTables)
