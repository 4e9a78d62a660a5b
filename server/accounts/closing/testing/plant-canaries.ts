import type { Database } from '#server/infra/db/index.ts'
import { transaction } from '#server/infra/db/transaction.ts'
import { listTablesOf } from '../owned-tables.ts'

interface Column {
  name: string
  type: string
  is_required: boolean
}

/** The canary in every text, list and document of a planted row. */
export const canary = 'canary-8f31'

/**
 * Plants a row with canaries into every table that belongs to an account and returns the tables. Foreign keys are
 * ignored and check constraints dropped, so that any text is accepted.
 */
export async function plantCanaries(db: Database, user_id: number): Promise<string[]> {
  const tables = (await listTablesOf(db)).map(({ name }) => name)
  await dropChecks(db)
  await transaction(db, 'plant-canaries', async (tx) => {
    await tx.none('set local session_replication_role = replica')
    for (const table of tables) {
      const columns = await tx.any<Column>(
        `select attribute.attname as name, format_type(attribute.atttypid, null) as type,
           attribute.attnotnull and not attribute.atthasdef as is_required
         from pg_attribute attribute
         where attribute.attrelid = $1::regclass and attribute.attnum > 0 and not attribute.attisdropped
           and attribute.attgenerated = '' and attribute.attidentity = ''`,
        [table],
      )
      const values = Object.fromEntries(
        columns
          .map((column) => [column.name, column.name === 'user_id' ? user_id : canaryFor(column)] as const)
          .filter(([, value]) => value !== undefined),
      )
      const names = Object.keys(values)
      await tx.none(
        `insert into $1:name ($2:name) values (${names.map((_, index) => `$${index + 3}`).join(', ')}) on conflict do nothing`,
        [table, names, ...Object.values(values)],
      )
    }
  })
  return tables
}

async function dropChecks(db: Database): Promise<void> {
  const checks = await db.any<{ table: string; name: string }>(
    `select conrelid::regclass::text as table, conname as name from pg_constraint
     where contype = 'c' and connamespace = 'public'::regnamespace`,
  )
  for (const { table, name } of checks) await db.none('alter table $1:name drop constraint $2:name', [table, name])
}

/** Undefined selects the column's default, or null. */
function canaryFor({ name, type, is_required }: Column): unknown {
  // A worker would erase the rows of a shop that is to be erased while a test reads them.
  if (name === 'erasing_for') return undefined
  if (type === 'text') return name === 'platform' ? 'ebay' : canary
  if (type === 'text[]') return [canary]
  if (type === 'jsonb') return JSON.stringify({ canary })
  if (!is_required) return undefined
  if (type.startsWith('timestamp') || type === 'date') return new Date()
  if (type === 'bytea') return Buffer.alloc(32, name.length)
  if (type === 'uuid') return '00000000-0000-4000-8000-000000000000'
  if (type === 'boolean') return false
  return 1
}
