import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#e2e/harness/database/database.ts'
import { root } from '#tools/root.ts'
import { parseQueries, queriesFiles } from '#tools/write-queries.ts'
import { statement } from './statement.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase({ bare: true })
})
afterAll(() => database?.drop())

describe('the queries', () => {
  it('have the types that PostgreSQL describes (after a change: npm run queries)', async () => {
    const stale: string[] = []
    for (const [path, text] of await queriesFiles(database.db)) {
      const written = await readFile(join(root, path), 'utf8').catch(() => '')
      if (written !== text) stale.push(path)
    }
    expect(stale).toEqual([])
  })

  it('are prepared once a connection, and planned for all values in the end', async () => {
    const find = statement<{ uid: string | null }, { uid: string }>(
      'test/findItem',
      ['uid'],
      'select uid from inventory_item where uid = $1',
    )
    await database.db.task(async (task) => {
      for (let count = 0; count < 7; count++) expect(await task.oneOrNone(find({ uid: 'inv_none' }))).toBeNull()
      const prepared = await task.any(
        `select generic_plans + custom_plans as runs, generic_plans > 0 as is_generic
         from pg_prepared_statements where name = 'test/findItem'`,
      )
      expect(prepared).toEqual([{ runs: 7, is_generic: true }])
    })
  })
})

describe('a file of queries', () => {
  const parse = (text: string) => parseQueries(text).queries[0]

  it('binds parameters by their numbers, each once', () => {
    const query = parse(
      `-- name: findItem\n-- Returns it.\nselect :a, :b?::text, :a from item where at > '10:30' -- :c\n`,
    )
    expect(query).toMatchObject({ parameters: ['a', 'b'], optional: new Set(['b']), comment: 'Returns it.' })
    expect(query?.text).toBe(`select $1, $2::text, $1 from item where at > '10:30'`)
  })

  it('takes the marks of null out of the names', () => {
    const query = parse(`-- name: findItem\n-- type kind: Kind\n-- Returns it.\nselect 1 as "one!", kind as "sentAt?"`)
    expect(query?.text).toBe('select 1 as one, kind as "sentAt"')
    expect([...query!.marks]).toEqual([
      ['one', '!'],
      ['sentAt', '?'],
    ])
    expect([...query!.types]).toEqual([['kind', 'Kind']])
  })

  it('refuses a statement without a name', () => {
    expect(() => parse('select 1')).toThrow('lacks the line')
  })
})
