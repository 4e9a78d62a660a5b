import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parallel } from '#e2e/harness/api.ts'
import { createTestDatabase, type TestDatabase } from '#e2e/harness/database/database.ts'
import { purge } from './purge.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

describe('the purge', () => {
  it('removes expired rows only, with several servers at once', async () => {
    const { db } = database
    const { id } = await db.one("insert into app_user (username) values ('ada') returning id")
    for (const [age, name] of [
      ['-1 hour', 'live'],
      ['200 days', 'old'],
    ]) {
      const at = `now() - interval '${age}'`
      await db.none(`insert into request_count values ('${name}', 1, ${at})`)
      await db.none(`insert into recent_event values ('k', '${name}', '{}', true, ${at})`)
      await db.none(`insert into failed_attempt values ('k', '${name}', '', 1, true, null, ${at})`)
      await db.none(`insert into used_identity_token values ('${name}', ${at})`)
      await db.none(
        `insert into mailbox_token (user_id, token_hash, purpose, email, expires_at) values (${id}, '${name}', 'reset', 'x', ${at})`,
      )
      await db.none(
        `insert into phone_challenge (token_hash, purpose, phone_number, code_mac, password_hash, expires_at) values ('${name}', 'signup', '+1', 'x', 'argon', ${at})`,
      )
      await db.none(
        `insert into idempotent_call (user_id, key, request_hash, created_at) values (${id}, '${name}', 'x', ${at})`,
      )
      await db.none(
        `insert into outbox_message (id, channel, template, created_at, expires_at) values ('${name}', 'mail', 'x', ${at}, now())`,
      )
      await db.none(
        `insert into connect_ticket (user_id, ticket_hash, platform, expires_at) values (${id}, '${name}', 'ebay', ${at})`,
      )
      await db.none(`insert into sold_report values (${id}, 'depop', '${name}', ${at} - interval '200 days')`)
      await db.none(
        `insert into audit_log (user_id, action, outcome, address, user_agent, request_id, at, last_at, expires_at)
         values (${id}, 'session.created', 'ok', '', '', '', ${at}, ${at}, ${at})`,
      )
      await db.none(`insert into known_network values (${id}, '${name}', ${at})`)
      await db.none(`insert into signin_step (token_hash, user_id, expires_at) values ('${name}', ${id}, ${at})`)
      await db.none(
        `insert into passkey_challenge (token_hash, purpose, challenge, expires_at) values ('${name}', 'register', 'x', ${at})`,
      )
      await db.none(`insert into known_device values (${id}, '${name}', ${at})`)
      await db.none(`insert into bearer_token (user_id, token_hash, created_at) values (${id}, '${name}', ${at})`)
      await db.none(
        `insert into oauth_state (user_id, state_hash, platform, browser_hash, expires_at) values (${id}, '${name}', 'ebay', 'x', ${at})`,
      )
    }
    const removed = await parallel(4, () => purge(db))
    expect(removed.reduce((sum, each) => sum + each, 0)).toBe(17)
    for (const table of [
      'request_count',
      'recent_event',
      'failed_attempt',
      'used_identity_token',
      'mailbox_token',
      'phone_challenge',
      'idempotent_call',
      'outbox_message',
      'connect_ticket',
      'oauth_state',
      'known_network',
      'known_device',
      'signin_step',
      'passkey_challenge',
      'bearer_token',
      'sold_report',
      'audit_log',
    ]) {
      expect([table, await db.one(`select count(*) from ${table}`)]).toEqual([table, { count: 1 }])
    }
  })

  it('removes more than one batch in a pass', async () => {
    const { db } = database
    await db.none(
      `insert into request_count select 'old ' || n, 1, now() - interval '1 day' from generate_series(1, 12000) n`,
    )
    await purge(db)
    expect(await db.one(`select count(*) from request_count where subject like 'old %'`)).toEqual({ count: 0 })
  })
})
