import type { Queries } from '#server/infra/db/index.ts'
import type { SellerAccount } from '#shared/contract/connections.ts'
import * as sql from './queries.ts'

/** Lists all shops of an account, including disconnected ones, newest first. */
export function listSellerAccounts(queries: Queries, userId: number): Promise<SellerAccount[]> {
  return queries.any(sql.listSellerAccounts({ user_id: userId }))
}
