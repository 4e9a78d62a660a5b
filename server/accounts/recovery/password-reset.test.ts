import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bearer, parallel, statuses } from '#e2e/harness/api.ts'
import { messagesTo, settleDeferredMessages, tokenIn, waitForMessage } from '#e2e/harness/outbox.ts'
import { goodPassword, register, someEmail } from '#e2e/harness/register.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { mailboxSteps, newPassword } from '#server/accounts/sign-in/testing/mailbox-steps.ts'
import { startTestPlatform, type TestPlatform } from '#server/integrations/connections/testing/platform.ts'

let ebay: TestPlatform
let server: TestServer
beforeAll(async () => {
  ebay = await startTestPlatform({ slug: 'ebay' })
  server = await startTestServer({ platforms: [ebay.adapter], environment: { SANDBOX: 'on', TRUSTED_HOPS: '1' } })
})
afterAll(async () => {
  await server?.close()
  await ebay?.close()
})
const { api, request, check, confirm, logIn, validate, resetToken } = mailboxSteps(() => server)

describe('password reset', () => {
  it('sends a link that sets the password once and ends all tokens', async () => {
    const account = await register(api)
    expect((await request(account.email.toUpperCase())).status).toBe(200)
    const token = tokenIn(await waitForMessage(server.services, account.email, 'password-reset'))
    expect(await check(token)).toMatchObject({ status: 200, body: { email_hint: 'a•••@e•••.com' } })
    expect((await check(token)).status).toBe(200)
    expect(await confirm(token)).toMatchObject({ status: 200, body: { detail: expect.any(String) } })
    expect(await validate(account.token)).toBe(401)
    expect((await logIn(account.email, goodPassword)).status).toBe(401)
    expect((await logIn(account.email, newPassword)).status).toBe(200)
    for (const again of [await check(token), await confirm(token)]) {
      expect(again).toMatchObject({ status: 400, body: { code: 'code_invalid' } })
    }
  })

  it('treats known and unknown addresses alike, up to the limit', async () => {
    const { email } = await register(api)
    const seen = await Promise.all(
      [email, someEmail()].map(async (address) => {
        const replies = []
        for (let round = 0; round < 4; round++) replies.push(await request(address))
        return replies.map(({ status, body }) => ({ status, body: { ...body, request_id: '' } }))
      }),
    )
    expect(seen[0]!.map(({ status }) => status)).toEqual([200, 200, 200, 429])
    expect(seen[1]).toEqual(seen[0])
  })

  it('allows exactly 3 of 64 concurrent requests', async () => {
    const email = someEmail()
    expect(statuses(await parallel(64, () => request(email)))).toEqual({ 200: 3, 429: 61 })
  })

  describe('requests by a stranger with many networks', () => {
    const ask = (email: string, from: string) =>
      api('POST', '/api/auth/password/reset/request/', { from, body: { email } })
    const mails = async (email: string) => {
      await settleDeferredMessages(server.services)
      const sent = await messagesTo(server.services, email)
      return sent.filter(({ template }) => template === 'password-reset')
    }
    async function attack(email: string) {
      for (let index = 0; index < 12; index++) {
        expect((await ask(email, `203.0.113.${index + 1}`)).status).toBe(200)
        await settleDeferredMessages(server.services)
      }
    }

    it('send three mails, and the last link stays valid', async () => {
      const { email } = await register(api)
      await attack(email)
      const sent = await mails(email)
      expect(sent).toHaveLength(3)
      expect((await check(tokenIn(sent.at(-1)!))).status).toBe(200)
    })

    it('do not use up the limit of a known network', async () => {
      const { email } = await register(api)
      await attack(email)
      expect((await request(email)).status).toBe(200)
      const sent = await mails(email)
      expect(sent).toHaveLength(4)
      expect((await confirm(tokenIn(sent.at(-1)!))).status).toBe(200)
    })

    it('leave a new network a link shortly before the last expires', async () => {
      const account = await register(api)
      await attack(account.email)
      await server.services.db.none(
        "update mailbox_token set expires_at = now() + interval '9 minutes' where user_id = $1 and purpose = 'reset'",
        [account.id],
      )
      expect((await ask(account.email, '203.0.113.200')).status).toBe(200)
      expect(await mails(account.email)).toHaveLength(4)
    })
  })

  it('writes to the stored address only', async () => {
    const account = await register(api)
    for (const email of [
      `${account.email},evil@example.com`,
      `${account.email}\r\nBcc: evil@example.com`,
      `"${account.email}" <evil@example.com>`,
    ]) {
      expect((await request(email)).status).toBe(400)
    }
    expect(
      (await api('POST', '/api/auth/password/reset/request/', { body: { email: [account.email, 'evil@example.com'] } }))
        .status,
    ).toBe(400)
    await settleDeferredMessages(server.services)
    expect(await messagesTo(server.services, 'evil@example.com')).toEqual([])
  })

  it('answers invalid tokens alike and keeps the right one valid', async () => {
    const account = await register(api)
    const token = await resetToken(account.email)
    const wrong = [
      token.slice(0, -1) + (token.endsWith('x') ? 'y' : 'x'),
      token.slice(0, 20),
      account.token,
      '',
      'x'.repeat(200),
    ]
    for (const guess of wrong) {
      const reply = await check(guess)
      expect({ ...reply.body, request_id: '' }).toEqual({ ...(await confirm(guess)).body, request_id: '' })
      expect(reply).toMatchObject({ status: 400, body: { code: 'code_invalid' } })
    }
    expect((await check(token)).status).toBe(200)
  })

  it('keeps the link valid after an unacceptable password', async () => {
    const account = await register(api)
    const token = await resetToken(account.email)
    expect((await confirm(token, 'Password1')).status).toBe(400)
    expect((await confirm(token, 'short1')).status).toBe(400)
    expect((await confirm(token)).status).toBe(200)
  })

  it('accepts one of 32 concurrent confirmations', async () => {
    const account = await register(api)
    const token = await resetToken(account.email)
    const replies = await parallel(32, (index) => confirm(token, `quiet harbour ${index + 100}`))
    expect(statuses(replies)).toEqual({ 200: 1, 400: 31 })
    const winner = replies.findIndex(({ status }) => status === 200)
    expect((await logIn(account.email, `quiet harbour ${winner + 100}`)).status).toBe(200)
  })

  it('ends a link at a newer request, a change or closing', async () => {
    const account = await register(api)
    const first = await resetToken(account.email)
    const second = await resetToken(account.email, 2)
    expect((await check(first)).status).toBe(400)
    const changed = await api('POST', '/api/auth/password/change/', {
      headers: bearer(account.token),
      body: { current_password: goodPassword, new_password: newPassword, new_password_confirm: newPassword },
    })
    expect((await check(second)).status).toBe(400)
    const third = await resetToken(account.email, 3)
    await api('POST', '/api/v1/user/deactivate/', { headers: bearer(changed.body.token) })
    expect((await confirm(third)).status).toBe(400)
  })

  it('refuses a link older than 30 minutes', async () => {
    const account = await register(api)
    const token = await resetToken(account.email)
    await server.services.db.none(
      "update mailbox_token set expires_at = now() - interval '1 second' where user_id = $1",
      [account.id],
    )
    expect((await confirm(token)).status).toBe(400)
  })

  it('ends pending tickets and authorizations with the tokens', async () => {
    const account = await register(api)
    const { db } = server.services
    await db.none(
      "insert into connect_ticket (user_id, ticket_hash, platform, expires_at) values ($1, 'a', 'ebay', now() + interval '1 minute')",
      [account.id],
    )
    await db.none(
      "insert into oauth_state (user_id, state_hash, platform, browser_hash, expires_at) values ($1, 'b', 'ebay', 'c', now() + interval '1 minute')",
      [account.id],
    )
    await confirm(await resetToken(account.email))
    expect(
      await db.one(
        'select (select count(*) from connect_ticket where user_id = $1) + (select count(*) from oauth_state where user_id = $1) as left',
        [account.id],
      ),
    ).toEqual({ left: 0 })
  })
})
