import { pageOf } from '#server/http/answers/list-page.ts'
import type { Queries } from '#server/infra/db/index.ts'
import { invalidField } from '#server/infra/errors.ts'
import type { Product } from '#shared/contract/catalog/inventory.ts'
import * as sql from './queries.ts'

/** Lists a page of a user's products by id. Throws 400 for an invalid cursor. */
export async function listProducts(
  queries: Queries,
  query: { user_id: number; cursor?: string; page_size?: number },
): Promise<{ results: Product[]; next_cursor: string | null }> {
  const size = query.page_size ?? 20
  const after = query.cursor === undefined ? null : readCursor(query.cursor)
  const rows = await queries.any(sql.listProducts({ user_id: query.user_id, after, limit: size + 1 }))
  return pageOf(rows, size, ({ product_id }) => `p:${product_id}`)
}

function readCursor(cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString('utf8')
  if (!text.startsWith('p:') || text.includes('\0')) {
    throw invalidField('cursor', 'invalid_value', 'is not the next_cursor of a page')
  }
  return text.slice(2)
}
