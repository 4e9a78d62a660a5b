import { DecryptionError } from '#server/infra/crypto/encrypt.ts'
import type { RowOf } from '#server/infra/db/statement.ts'
import type { InfraServices } from '#server/infra/services.ts'
import type { Message } from './message.ts'
import { decryptMessage } from './outbox.ts'
import * as sql from './queries.ts'

type Row = RowOf<typeof sql.listMessages>

/** Lists the newest messages of the outbox, decrypted. Skips messages of another SECRET_KEY. */
export async function listMessages(
  { db, config }: Pick<InfraServices, 'db' | 'config'>,
  limit: number,
): Promise<(Omit<Row, 'encrypted_message' | 'channel'> & Message)[]> {
  const rows = await db.any(sql.listMessages({ limit }))
  return rows.flatMap(({ encrypted_message, channel: _, ...row }) => {
    try {
      return [{ ...row, ...decryptMessage(config, row.id, encrypted_message) }]
    } catch (error) {
      if (error instanceof DecryptionError) return []
      throw error
    }
  })
}
