// Made from queries.sql by `npm run queries`. Do not edit.
import { statement } from '#server/infra/db/statement.ts'

/** Makes a key the database's key. */
export const adoptKey = statement<{ key_id: Buffer; encrypted_check: Buffer; encrypted_hash_key: Buffer }, void>(
  'infra/crypto/adoptKey',
  ['key_id', 'encrypted_check', 'encrypted_hash_key'],
  `insert into secret_key (key_id, encrypted_check, encrypted_hash_key) values ($1, $2, $3)
on conflict (key_id) do update set
  encrypted_check = excluded.encrypted_check, encrypted_hash_key = excluded.encrypted_hash_key, adopted_at = clock_timestamp()`,
)

/** Returns the keys of this database, newest first. */
export const listKeys = statement<object, { key_id: Buffer; encrypted_check: Buffer; encrypted_hash_key: Buffer | null }>(
  'infra/crypto/listKeys',
  [],
  `select key_id, encrypted_check, encrypted_hash_key from secret_key order by adopted_at desc`,
)
