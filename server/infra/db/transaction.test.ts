import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#e2e/harness/database/database.ts'

import { violatedUnique } from './index.ts'
import { afterCommit, notify } from './pubsub.ts'
import { together, transaction } from './transaction.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
  await database.db.none('create table note (id integer primary key)')
})
afterAll(() => database?.drop())

describe('a transaction', () => {
  const notes = () => database.db.map('select id from note order by id', [], ({ id }) => id)
  const heard = async () => {
    const payloads: string[] = []
    const connection = await database.db.connect({ direct: true })
    connection.client.on('notification', ({ payload }: { payload?: string }) => payloads.push(payload ?? ''))
    await connection.none('listen committed_note')
    return { payloads, done: () => connection.done(true) }
  }

  it('is visible, and notified, only once it has committed', async () => {
    const listening = await heard()
    await transaction(database.db, 'note', async (tx) => {
      notify(tx, 'committed_note', 'one')
      await tx.none('insert into note (id) values (1)')
      expect(await tx.one('select count(*)::int as count from note')).toEqual({ count: 1 })
      expect(await notes()).toEqual([])
      await tx.none('insert into note (id) values (2)')
    })
    expect(await notes()).toEqual([1, 2])
    await expect.poll(() => listening.payloads).toEqual(['one'])
    listening.done()
  })

  it('leaves nothing and notifies nobody if any part fails', async () => {
    await database.db.none('delete from note')
    const listening = await heard()
    const ends = await Promise.allSettled([
      transaction(database.db, 'note', async (tx) => {
        notify(tx, 'committed_note', 'never')
        await tx.none('insert into note (id) values (3)')
        throw new Error('changed its mind')
      }),
      transaction(database.db, 'note', async (tx) => {
        notify(tx, 'committed_note', 'never')
        await tx.none('insert into note (id) values (4)')
        await tx.none('insert into note (id) values (4)')
      }),
    ])
    expect(ends).toMatchObject([
      { status: 'rejected', reason: { message: 'changed its mind' } },
      { status: 'rejected', reason: { code: '23505' } },
    ])
    expect(await notes()).toEqual([])
    await database.db.tx(async (tx) => {
      notify(tx, 'committed_note', 'later')
      await tx.none('insert into note (id) values (5)')
    })
    await expect.poll(() => listening.payloads).toEqual(['later'])
    const open =
      "select pid from pg_stat_activity where state like 'idle in transaction%' and datname = current_database()"
    expect(await database.db.any(open)).toEqual([])
    listening.done()
  })

  it('runs again after a deadlock, with the effects of its last run only', async () => {
    await database.db.none('delete from note')
    const effects: number[] = []
    let runs = 0
    await transaction(database.db, 'note', async (tx) => {
      const run = ++runs
      afterCommit(tx, () => effects.push(run))
      await tx.none('insert into note (id) values ($1)', [run])
      if (run < 3) await tx.none(`do $$ begin raise 'deadlock detected' using errcode = '40P01'; end $$`)
    })
    expect(effects).toEqual([3])
    expect(await notes()).toEqual([3])
  })

  it('fails with a deadlock that does not end', async () => {
    let runs = 0
    const ends = transaction(database.db, 'note', async (tx) => {
      runs++
      await tx.none(`do $$ begin raise 'deadlock detected' using errcode = '40P01'; end $$`)
    })
    await expect(ends).rejects.toMatchObject({ code: '40P01' })
    expect(runs).toBe(6)
  })
})

describe('a violated unique constraint', () => {
  it('is named as Citus tells it, in the message alone and with the number of the shard', () => {
    const message = 'duplicate key value violates unique constraint "app_user_email_key_102009"'
    expect(violatedUnique(Object.assign(new Error(message), { code: '23505' }))).toBe('app_user_email_key')
  })
})

it('throws the error that ended a transaction, however deep its statement was sent', async () => {
  const sent = database.db.tx((tx) =>
    together([
      tx.one('select 1 as one'),
      together([together([tx.none('select 1 / 0'), tx.one('select 2 as two')])]),
      tx.one('select 3 as three'),
    ]),
  )
  await expect(sent).rejects.toMatchObject({ code: '22012' })
})
