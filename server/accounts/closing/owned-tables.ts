import type { Queries } from '#server/infra/db/index.ts'
import * as sql from './queries.ts'

/**
 * Lists the tables whose rows belong to an account by `user_id`, referring tables first. Reads the catalog, so that
 * later tables are included in erasure and export.
 */
export const listTablesOf = (queries: Queries) => queries.any(sql.listOwnedTables())
