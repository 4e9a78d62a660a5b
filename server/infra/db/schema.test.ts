import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#e2e/harness/database/database.ts'
import { migrate } from './migrate.ts'
import { dumpSchema } from './testing/dump-schema.ts'

const file = fileURLToPath(new URL('./schema.sql', import.meta.url))

const secret = 'finds the account by the hash of a secret that names no account'

/** Unique indexes of user tables that are not led by the user. To distribute the tables, each needs a lookup table. */
const acrossUsers = {
  api_key_hash_key: secret,
  bearer_token_hash_key: secret,
  bearer_token_uid_key: 'the id of a session is unique in its own right',
  connect_ticket_hash_key: secret,
  mailbox_token_hash_key: secret,
  oauth_state_hash_key: secret,
  passkey_challenge_pkey: secret,
  signin_step_token_key: secret,
  passkey_credential_key: 'finds the account that signs in with a passkey',
  social_link_identity_key: 'finds the account of an identity, which has one account',
  sale_mail_address_address_hash_key: 'a mail names only the address',
  sale_mail_recipient_proof_key: 'one account at a time proves an address',
  seller_account_verified_shop_key: 'a verified shop belongs to one account',
  stripe_customer_key: 'finds the account that a notice of Stripe is about',
  outbox_message_dedupe_key: 'messages to people without an account are sent once, too',
  outbox_message_pkey: 'messages to people without an account have no user',
} satisfies Record<string, string>

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

  it('leads each unique index of a user table by the user, or says why not', async () => {
    const found = await database.db.map(
      `select class.relname as name
       from pg_index index
       join pg_class class on class.oid = index.indexrelid
       join pg_attribute attribute on attribute.attrelid = index.indrelid and attribute.attname = 'user_id'
       where class.relnamespace = 'public'::regnamespace and index.indisunique and index.indkey[0] <> attribute.attnum`,
      [],
      (row: { name: string }) => row.name,
    )
    expect(found.sort()).toEqual(Object.keys(acrossUsers).sort())
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
