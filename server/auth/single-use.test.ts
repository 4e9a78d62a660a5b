import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createBrowser } from '#server/connections/testing/browser.ts'
import { startConnecting } from '#server/connections/testing/connect.ts'
import { startTestPlatform, type TestPlatform } from '#server/connections/testing/platform.ts'
import { hashSecret, newSecret } from '#server/http/credentials.ts'
import { buildAccount } from '#server/testing/account.ts'
import { type Api, apiOf, parallel, type Reply, statuses } from '#server/testing/api.ts'
import { cheapPasswords } from '#server/testing/cheap-passwords.ts'
import { goodPassword, someEmail, somePhone } from '#server/testing/people.ts'
import { rounds, roundsTimeoutMs } from '#server/testing/rounds.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { codeMac } from './account-keys.ts'
import { type AppleFake, startAppleFake } from './apple/fake.ts'

/**
 * Everything that works once, tried 32 times at once, 200 times over (10,000 with ROUNDS): exactly one success each
 * (threats T27, T44, T46, T51, T63, T71; invariant I9). What is raced is real; what leads up to it is written straight
 * into the tables.
 */
const attempts = 32
const count = rounds(200)
const timeout = roundsTimeoutMs(count)

let apple: AppleFake
let ebay: TestPlatform
let server: TestServer
let api: Api
beforeAll(async () => {
  apple = await startAppleFake()
  ebay = await startTestPlatform({ slug: 'ebay' })
  server = await startTestServer({
    works: false,
    platforms: [ebay.adapter],
    passwords: cheapPasswords,
    environment: { ...apple.environment },
  })
  api = apiOf(server.url)
})
afterAll(async () => {
  await server?.close()
  await ebay?.close()
  await apple?.close()
})

async function race(run: () => Promise<() => Promise<Reply>>, wanted: { won: number; lost: number }): Promise<void> {
  for (let round = 0; round < count; round++) {
    const attempt = await run()
    const replies = await parallel(attempts, attempt)
    expect(statuses(replies), `round ${round}`).toEqual({ [wanted.won]: 1, [wanted.lost]: attempts - 1 })
  }
}

async function challenge(purpose: 'signup' | 'signin', phone: string): Promise<{ token: string; code: string }> {
  const token = randomUUID()
  const code = '123456'
  const { createHash } = await import('node:crypto')
  const hash = createHash('sha256').update(token).digest()
  await server.services.db.none(
    `insert into phone_challenge (token_hash, purpose, phone_number, code_mac, expires_at)
     values ($1, $2, $3, $4, now() + interval '10 minutes')`,
    [hash, purpose, phone, codeMac(server.services.config, hash, code)],
  )
  return { token, code }
}

async function user(more: { phone?: string } = {}): Promise<{ id: number; email: string }> {
  const email = someEmail()
  return server.services.db.one(
    `insert into app_user (username, email, phone_number, phone_verified, password_hash)
     values ($1, $2, $3, $4, $5) returning id, email`,
    [email.split('@')[0], email, more.phone ?? null, more.phone !== undefined, `cheap:${goodPassword}`],
  )
}

async function mailboxToken(purpose: 'reset' | 'verify'): Promise<{ token: string; id: number; email: string }> {
  const holder = await user()
  const token = newSecret(purpose === 'reset' ? 'hpxr' : 'hpxv')
  await server.services.db.none(
    `insert into mailbox_token (user_id, token_hash, purpose, email, expires_at)
     values ($1, $2, $3, $4, now() + interval '10 minutes')`,
    [holder.id, hashSecret(token), purpose, holder.email],
  )
  return { token, ...holder }
}

describe(`of ${attempts} at once exactly one succeeds, ${count} times over`, () => {
  it('T46: a sign-up code', { timeout }, () =>
    race(
      async () => {
        const { token, code } = await challenge('signup', somePhone())
        return () => api('POST', '/api/auth/register/verify/', { body: { signup_token: token, code } })
      },
      { won: 201, lost: 400 },
    ),
  )

  it('a sign-in code', { timeout }, () =>
    race(
      async () => {
        const phone = somePhone()
        await user({ phone })
        const { token, code } = await challenge('signin', phone)
        return () => api('POST', '/api/auth/login/phone/verify/', { body: { signin_token: token, code } })
      },
      { won: 200, lost: 400 },
    ),
  )

  it("T51: a reset token, and the password is the winner's", { timeout }, async () => {
    for (let round = 0; round < count; round++) {
      const { token, id } = await mailboxToken('reset')
      const replies = await parallel(attempts, (index) => {
        const password = `quiet harbour ${100 + index}`
        return api('POST', '/api/auth/password/reset/confirm/', {
          body: { token, password, password_confirm: password },
        })
      })
      expect(statuses(replies), `round ${round}`).toEqual({ 200: 1, 400: attempts - 1 })
      const winner = replies.findIndex(({ status }) => status === 200)
      const { password_hash } = await server.services.db.one('select password_hash from app_user where id = $1', [id])
      expect(password_hash).toBe(`cheap:quiet harbour ${100 + winner}`)
    }
  })

  it('T63: a verification token', { timeout }, () =>
    race(
      async () => {
        const { token } = await mailboxToken('verify')
        return () => api('POST', '/api/auth/email-verification/confirm/', { body: { token } })
      },
      { won: 200, lost: 400 },
    ),
  )

  it('T27: an Apple token with its authorization code', { timeout }, () =>
    race(
      async () => {
        const body = await apple.signIn({ sub: randomUUID() })
        return () => api('POST', '/api/auth/apple/', { body })
      },
      { won: 200, lost: 401 },
    ),
  )

  it('T27: an authorization code under as many good tokens', { timeout }, async () => {
    for (let round = 0; round < count; round++) {
      const sub = randomUUID()
      const { authorization_code } = await apple.signIn({ sub })
      const tokens = await parallel(attempts, async () => (await apple.signIn({ sub })).identity_token)
      const replies = await Promise.all(
        tokens.map((identity_token) =>
          api('POST', '/api/auth/apple/', { body: { identity_token, authorization_code } }),
        ),
      )
      expect(statuses(replies), `round ${round}`).toEqual({ 200: 1, 401: attempts - 1 })
    }
  })

  it('a connect ticket', { timeout }, async () => {
    for (let round = 0; round < count; round++) {
      const url = await startConnecting(server.url, await buildAccount(server.services.db), 'ebay')
      const visits = await parallel(attempts, () => createBrowser().get(url))
      expect(statuses(visits as never), `round ${round}`).toEqual({ 302: 1, 400: attempts - 1 })
    }
  })

  it('T71: an OAuth state: one exchange of the code', { timeout }, async () => {
    for (let round = 0; round < count; round++) {
      const browser = createBrowser()
      ebay.seller = { id: `R-${round}`, name: `shop_${round}` }
      const login = await browser.get(await startConnecting(server.url, await buildAccount(server.services.db), 'ebay'))
      const callback = (await browser.get(login.location!)).location!
      ebay.counts.exchange = 0
      const visits = await parallel(attempts, () => browser.get(callback))
      expect(statuses(visits as never), `round ${round}`).toEqual({ 200: 1, 400: attempts - 1 })
      expect(ebay.counts.exchange).toBe(1)
    }
  })
})
