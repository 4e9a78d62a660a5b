import { type Queries, sql } from '#server/infra/db/index.ts'
import type { SellerAccount } from '#shared/contract/connections.ts'

const list = sql(import.meta.url, './sql/list-seller-accounts.sql')

/** Lists all shops of an account, including disconnected ones, newest first. */
export function listSellerAccounts(queries: Queries, userId: number): Promise<SellerAccount[]> {
  return queries.any<SellerAccount>(list, { user_id: userId })
}
