import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#e2e/harness/database.ts'
import type { Queries } from './index.ts'
import { type Pipelined, pipeline } from './pipeline.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await database.db.none('create table note (id integer primary key, said text not null)')
})
afterAll(() => database?.drop())
beforeEach(() => database.db.none('delete from note'))

/** Runs work in a transaction; answers how often it went to the server. */
async function trips(work: (tx: Pipelined) => Promise<unknown>): Promise<number> {
  let count = 0
  await database.db.tx(async (tx) => {
    const counted = new Proxy(tx, {
      get(target, name: keyof Queries) {
        if (name === 'multiResult') count++
        return Reflect.get(target, name)
      },
    })
    await work(pipeline(counted))
  })
  return count
}
const said = () => database.db.map('select said from note order by id', [], (row: { said: string }) => row.said)
// biome-ignore lint/suspicious/noTemplateCurlyInString: named parameters of the query
const add = 'insert into note (id, said) values (${id}, ${said})'

describe('pipelined statements', () => {
  it('run in order, with the next statement that is awaited', async () => {
    const count = await trips(async (tx) => {
      await tx.none(add, { id: 1, said: "it's" })
      await tx.none(add, { id: 2, said: 'two; three' })
      expect(await tx.any('select id from note order by id')).toEqual([{ id: 1 }, { id: 2 }])
      await tx.none('delete from note where id = $1', [1])
      const [one, none, changed] = await Promise.all([
        tx.one<{ said: string }>('select said from note where id = 2'),
        tx.oneOrNone('select said from note where id = 1'),
        tx.result("update note set said = 'changed'"),
        tx.none(add, { id: 3, said: 'last' }),
      ])
      expect([one.said, none, changed.rowCount]).toEqual(['two; three', null, 1])
      await tx.flush()
    })
    expect(count).toBe(2)
    expect(await said()).toEqual(['changed', 'last'])
  })

  it('throw a failure at the next statement or flush, and undo all', async () => {
    const twice = async (tx: Pipelined) => {
      await tx.none(add, { id: 1, said: 'one' })
      await tx.none(add, { id: 1, said: 'another' })
    }
    const atNext = trips(async (tx) => {
      await twice(tx)
      await tx.any('select 1')
    })
    await expect(atNext).rejects.toMatchObject({ code: '23505' })
    const atFlush = trips(async (tx) => {
      await twice(tx)
      await tx.flush()
    })
    await expect(atFlush).rejects.toMatchObject({ code: '23505' })
    await expect(trips((tx) => tx.one('select 1 where false'))).rejects.toThrow('one row was expected')
    await expect(trips((tx) => tx.oneOrNone('select generate_series(1, 2)'))).rejects.toThrow('at most one row')
    expect(await said()).toEqual([])
  })

  it('of a pipelined transaction are pipelined once', async () => {
    await trips(async (tx) => {
      expect(pipeline(tx)).toBe(tx)
    })
  })
})
