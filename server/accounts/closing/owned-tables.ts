import { type Queries, sql } from '#server/infra/db/index.ts'

const listOwnedTables = sql(import.meta.url, './sql/list-owned-tables.sql')

interface OwnedTable {
  name: string
  /** The columns of its primary key. */
  key: string[]
}

/**
 * Lists the tables whose rows belong to an account by `user_id`, referring tables first. Reads the catalog, so that
 * later tables are included in erasure and export.
 */
export const listTablesOf = (queries: Queries) => queries.any<OwnedTable>(listOwnedTables)
