import { SealError } from '#server/infra/crypto/seal.ts'
import { sql } from '#server/infra/db/index.ts'
import type { InfraServices } from '#server/infra/services.ts'
import type { Message } from './message.ts'
import { openMessage } from './outbox.ts'

const list = sql(import.meta.url, './sql/list-messages.sql')

interface Row {
  id: string
  channel: Message['channel']
  template: string
  status: string
  encrypted_message: Buffer
  created_at: string
  sent_at: string | null
}

/** Returns the newest messages of the outbox, decrypted. Messages of another SECRET_KEY are left out. */
export async function listMessages(
  { db, config }: Pick<InfraServices, 'db' | 'config'>,
  limit: number,
): Promise<(Omit<Row, 'encrypted_message' | 'channel'> & Message)[]> {
  const rows = await db.any<Row>(list, { limit })
  return rows.flatMap(({ encrypted_message, channel: _, ...row }) => {
    try {
      return [{ ...row, ...openMessage(config, row.id, encrypted_message) }]
    } catch (error) {
      if (error instanceof SealError) return []
      throw error
    }
  })
}
