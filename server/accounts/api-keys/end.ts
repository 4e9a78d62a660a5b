import type { Database } from '#server/infra/db/index.ts'
import { notFound } from '#server/infra/errors.ts'
import * as sql from './queries.ts'

/** Ends a key of the user at once. Throws 404 if there is none with this id. */
export async function endKey(db: Database, userId: number, id: string): Promise<void> {
  const { rowCount } = await db.result(sql.deleteKey({ user_id: userId, id }))
  if (rowCount === 0) throw notFound()
}
