import type { Database } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import * as sql from './queries.ts'

/** Makes an account the owner of the installation, instead of any other. */
export async function giveOwnership(db: Database, user_id: number): Promise<void> {
  await transaction(db, 'give-ownership', async (tx) => {
    await tx.none(sql.giveUpOwnership())
    await tx.none(sql.claimOwnership({ user_id }))
  })
}

/** Records that a backup has just ended, for the warning of the owner. */
export const recordBackup = (db: Database) => db.none(sql.recordBackup())
