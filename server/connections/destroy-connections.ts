import { type Queries, sql } from '#server/db/index.ts'

const destroy = sql(import.meta.url, './sql/destroy-connections.sql')

/** For the closing of an account (decisions 4), in its transaction: all its connections end, all their tokens are gone. */
export async function destroyConnections(queries: Queries, userId: number): Promise<void> {
  await queries.none(destroy, { user_id: userId })
}
