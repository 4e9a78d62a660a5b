import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { closeDatabase, type Database, openDatabase } from '#server/infra/db/index.ts'
import type { Services } from '#server/services.ts'
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts'
import { rowsReadBy } from '#server/testing/rows-read.ts'
import { type SignIns, signInsOf, type Tried } from './sign-ins.ts'

/** One connection, which has planned everything when hardly anybody had failed; then somebody begins to guess. */
let database: TestDatabase
let db: Database
let signIns: SignIns
beforeAll(async () => {
  database = await createTestDatabase({ checked: false })
  db = openDatabase({ url: database.url, max: 1 })
  signIns = signInsOf({ db, passwords: { spareMs: () => 0 } } as unknown as Services)
  // Another connection, and its place for temporary tables made before: each would end the plans that are kept.
  const filler = openDatabase({ url: database.url, max: 1 })
  await filler.none('create temp table any_table ()')
  await filler.none('vacuum analyze')
  for (let again = 0; again < 2; again++) for (const [, work] of works) await work()
  await filler.none(`
    insert into failed_attempt (kind, subject, network, count, admitted, expires_at)
    select kind, sha256(n::text::bytea), case kind when 'login' then sha256(n::text::bytea) else ''::bytea end, 1, true,
      now() + interval '1 hour'
    from generate_series(1, 5000) n cross join (values ('login'), ('login-account')) as counted (kind)`)
  await filler.any('select pg_stat_force_next_flush()')
  await closeDatabase(filler)
})
afterAll(async () => {
  if (db) await closeDatabase(db)
  await database?.drop()
})

const sha256 = (text: string) => createHash('sha256').update(text).digest()
const someone = (index: number): Tried => {
  const email = `person-${index}@example.com`
  return { subject: sha256(email), network: sha256(`${index}`), email }
}
const twelve = Array.from({ length: 12 }, (_, index) => someone(index))

const works: [what: string, work: () => Promise<unknown>][] = [
  ['looking at twelve', () => Promise.all(twelve.map((tried) => signIns.look(tried)))],
  ['counting twelve', () => Promise.all(twelve.map((tried) => signIns.begin(tried)))],
  ['taking twelve back', () => Promise.all(twelve.map((tried) => signIns.takeBack(tried, false)))],
]

describe('by what was planned before somebody began to guess, no more than a few rows are read', () => {
  it.each(works)('for %s', async (_what, work) => {
    const read = await rowsReadBy(db, work)
    expect(read.some(([, rows]) => rows > 0)).toBe(true)
    expect(read.filter(([, rows]) => rows > 120)).toEqual([])
  })
})
