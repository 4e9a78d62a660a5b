import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPasswordHasher } from '#server/accounts/passwords/hasher.ts'
import { bearer, someAddress } from '#server/testing/api.ts'
import { cheapPasswords } from '#server/testing/cheap-passwords.ts'
import { goodPassword, register } from '#server/testing/people.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { until } from '#server/testing/until.ts'
import { mailboxSteps, newPassword } from './testing/mailbox-steps.ts'

let hashing: PromiseWithResolvers<void> | null = null
const passwords = createPasswordHasher({
  concurrency: 1,
  maxWaiting: 4,
  threads: {
    hash: async (password) => {
      await hashing?.promise
      return cheapPasswords.hash(password)
    },
    verify: async (passwordHash, password) => {
      await hashing?.promise
      return cheapPasswords.verify(passwordHash, password)
    },
  },
})
let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ environment: { SANDBOX: 'on', TRUSTED_HOPS: '1' }, passwords })
})
afterAll(() => server?.close())
const { api, confirm, logIn, resetToken } = mailboxSteps(() => server)

/** More strangers than may wait, until they are let go. */
async function fillLine() {
  const held = Promise.withResolvers<void>()
  hashing = held
  let refused = 0
  const strangers = Array.from({ length: 20 }, (_, index) =>
    passwords.verify(null, 'guess', { address: `stranger ${index}`, isKnown: false }).catch(() => refused++),
  )
  await until(() => refused > 10)
  return {
    refused: () => refused,
    async letGo() {
      held.resolve()
      await Promise.all(strangers)
    },
  }
}

describe('while strangers fill the line for hashing', () => {
  it('who shows a reset link or a token sets a new password all the same', async () => {
    const [forgetful, careful] = [await register(api), await register(api)]
    const token = await resetToken(forgetful.email)
    const line = await fillLine()
    const refusedBefore = line.refused()
    const replies = [
      confirm(token),
      api('POST', '/api/auth/password/change/', {
        headers: bearer(careful.token),
        body: {
          current_password: goodPassword,
          new_password: newPassword,
          new_password_confirm: newPassword,
        },
      }),
    ]
    // Both wait, in the places of two strangers; or one was refused itself, and is seen below.
    await Promise.race([until(() => line.refused() === refusedBefore + 2), ...replies])
    await line.letGo()
    expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([200, 200])
    for (const { email } of [forgetful, careful]) expect((await logIn(email, newPassword)).status).toBe(200)
  })

  it('who set a new password by the link signs in with it from there', async () => {
    const { email } = await register(api)
    const [there, elsewhere] = [someAddress(), someAddress()]
    const body = { token: await resetToken(email), password: newPassword, password_confirm: newPassword }
    expect((await api('POST', '/api/auth/password/reset/confirm/', { body, from: there })).status).toBe(200)
    const line = await fillLine()
    const signIn = (from: string) => api('POST', '/api/auth/login/', { body: { email, password: newPassword }, from })
    const refusedBefore = line.refused()
    expect((await signIn(elsewhere)).status).toBe(503)
    const reply = signIn(there)
    await Promise.race([until(() => line.refused() === refusedBefore + 1), reply])
    await line.letGo()
    expect((await reply).status).toBe(200)
  })
})

describe('while strangers guess at one account', () => {
  it('its owner signs in from where they were before, past those who wait to be counted', async () => {
    const { email } = await register(api)
    const there = someAddress()
    const signIn = (password: string, from: string) =>
      api('POST', '/api/auth/login/', { body: { email, password }, from })
    expect((await signIn(goodPassword, there)).status).toBe(200)
    expect((await signIn('guess 1', someAddress())).status).toBe(401)
    const guess = () => signIn('guess 1', someAddress())
    const owner = await server.services.db.tx(async (t) => {
      // What counts an attempt at the account waits for this.
      await t.any("select from failed_attempt where kind = 'login-account' for update")
      let refused = 0
      const guesses = Array.from({ length: 80 }, () => guess().then(({ status }) => status === 503 && refused++))
      await until(() => refused > 0)
      const reply = signIn(goodPassword, there)
      // By the time these are refused the owner stands in line, or was refused before them.
      for (let times = 0; times < 3; times++) expect((await guess()).status).toBe(503)
      return { reply, guesses }
    })
    const [{ status }] = await Promise.all([owner.reply, ...owner.guesses])
    expect(status).toBe(200)
  })
})
