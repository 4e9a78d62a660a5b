import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bearer, someAddress } from '#e2e/harness/api.ts'
import { heldPasswords } from '#e2e/harness/held-passwords.ts'
import { goodPassword, register } from '#e2e/harness/register.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { mailboxSteps, newPassword } from './testing/mailbox-steps.ts'

let server: TestServer
let held: Awaited<ReturnType<typeof heldPasswords>>
beforeAll(async () => {
  held = await heldPasswords(4)
  server = await startTestServer({
    environment: { SANDBOX: 'on', TRUSTED_HOPS: '1' },
    passwords: held.passwords,
  })
})
afterAll(() => server?.close())
const { api, confirm, logIn, resetToken } = mailboxSteps(() => server)

/** Fills the hash queue with strangers. Returns a function that lets hashing go on and waits for them. */
function fillQueue() {
  held.hold()
  const strangers = Promise.allSettled(Array.from({ length: 20 }, () => held.passwords.verify(null, 'guess')))
  return async () => {
    held.release()
    await strangers
  }
}

describe('while strangers fill the hash queue', () => {
  it('a reset link or a token still sets a new password', async () => {
    const [forgetful, careful] = [await register(api), await register(api)]
    const token = await resetToken(forgetful.email)
    const empty = fillQueue()
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
    expect(await isPending(replies)).toBe(true)
    await empty()
    expect((await Promise.all(replies)).map(({ status }) => status)).toEqual([200, 200])
    for (const { email } of [forgetful, careful]) expect((await logIn(email, newPassword)).status).toBe(200)
  })

  it('a new password signs in from the network of its reset link', async () => {
    const { email } = await register(api)
    const [there, elsewhere] = [someAddress(), someAddress()]
    const body = { token: await resetToken(email), password: newPassword, password_confirm: newPassword }
    expect((await api('POST', '/api/auth/password/reset/confirm/', { body, from: there })).status).toBe(200)
    const empty = fillQueue()
    const signIn = (from: string) => api('POST', '/api/auth/login/', { body: { email, password: newPassword }, from })
    expect((await signIn(elsewhere)).status).toBe(503)
    const reply = signIn(there)
    expect(await isPending([reply])).toBe(true)
    await empty()
    expect((await reply).status).toBe(200)
  })
})

/** Returns whether no reply arrives within 300 ms. */
const isPending = (replies: Promise<unknown>[]) =>
  Promise.race([...replies.map((reply) => reply.then(() => false)), delay(300).then(() => true)])
