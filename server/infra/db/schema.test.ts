import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts'
import { dumpSchema } from './dump-schema.ts'
import { migrate } from './migrate.ts'

const file = fileURLToPath(new URL('./schema.sql', import.meta.url))

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ bare: true })
})
afterAll(() => database?.drop())

describe('the schema', () => {
  it('is what schema.sql shows (after a change: npm run schema)', async () => {
    const schema = await dumpSchema(database.db)
    if (process.env.UPDATE_SCHEMA) await writeFile(file, schema)
    expect(await readFile(file, 'utf8')).toBe(schema)
  })

  it('is unchanged when several servers migrate again', async () => {
    const before = await dumpSchema(database.db)
    await Promise.all([migrate(database.url), migrate(database.url), migrate(database.url)])
    expect(await dumpSchema(database.db)).toBe(before)
  })

  it('keys every table of a user by the user', async () => {
    const offenders = await database.db.map(
      `select class.relname as name
       from pg_class class
       join pg_attribute attribute on attribute.attrelid = class.oid and attribute.attname = 'user_id' and attribute.attnotnull
       where class.relnamespace = 'public'::regnamespace and class.relkind = 'r'
         and not exists (
           select from pg_constraint con
           where con.conrelid = class.oid and con.contype = 'p' and con.conkey[1] = attribute.attnum
         )`,
      [],
      (row: { name: string }) => row.name,
    )
    expect(offenders).toEqual([])
  })

  it('uses one collation for columns that are compared', async () => {
    const columns = await database.db.any<{ name: string; tables: string }>(
      `select attribute.attname as name, string_agg(class.relname || ' ' || collname, ', ' order by class.relname) as tables
       from pg_class class
       join pg_attribute attribute on attribute.attrelid = class.oid and attribute.attnum > 0
       join pg_collation on pg_collation.oid = attribute.attcollation
       -- A uid is of another thing in each table.
       where class.relnamespace = 'public'::regnamespace and class.relkind = 'r' and attribute.attname <> 'uid'
       group by attribute.attname
       having count(distinct collname) > 1`,
    )
    expect(columns).toEqual([])
  })
})
