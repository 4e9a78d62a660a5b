import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPasswordHasher } from '#server/passwords/hasher.ts'
import { bearer } from '#server/testing/api.ts'
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
  server = await startTestServer({ environment: { SANDBOX: 'on' }, passwords })
})
afterAll(() => server?.close())
const { api, confirm, logIn, resetToken } = mailboxSteps(() => server)

describe('T39: while strangers fill the line for hashing', () => {
  it('who shows a reset link or a token sets a new password all the same', async () => {
    const [forgetful, careful] = [await register(api), await register(api)]
    const token = await resetToken(forgetful.email)
    hashing = Promise.withResolvers()
    let refused = 0
    const strangers = Array.from({ length: 20 }, (_, index) =>
      passwords.verify(null, 'guess', { address: `stranger ${index}`, isKnown: false }).catch(() => refused++),
    )
    await until(() => refused > 10)
    const refusedBefore = refused
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
    await Promise.race([until(() => refused === refusedBefore + 2), ...replies])
    hashing.resolve()
    expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([200, 200])
    await Promise.all(strangers)
    for (const { email } of [forgetful, careful]) expect((await logIn(email, newPassword)).status).toBe(200)
  })
})
