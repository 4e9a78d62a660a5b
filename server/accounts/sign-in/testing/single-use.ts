import { createHash, randomUUID } from 'node:crypto'
import { buildAccount } from '#e2e/harness/account.ts'
import { type Api, apiOf, parallel } from '#e2e/harness/api.ts'
import { cheapPasswords } from '#e2e/harness/cheap-passwords.ts'
import { goodPassword, someEmail, somePhone } from '#e2e/harness/register.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { codeMac } from '#server/accounts/limits/account-keys.ts'
import { hashSecret, newSecret } from '#server/http/credentials/credentials.ts'
import { signedInBrowser, startConnecting } from '#server/integrations/connections/testing/connect.ts'
import { startTestPlatform, type TestPlatform } from '#server/integrations/connections/testing/platform.ts'
import { type AppleSandbox, startAppleSandbox } from '#server/sandbox/apple.ts'

/** A server with everything that issues single-use values. */
export interface SingleUseStage {
  server: TestServer
  api: Api
  apple: AppleSandbox
  ebay: TestPlatform
  close(): Promise<void>
}

/** A single-use value: `prepare` creates one and returns how to use it. */
interface SingleUse {
  name: string
  /** The status of the winner, and of all others. */
  won: number
  lost: number
  prepare(stage: SingleUseStage): Promise<{
    attempt(index: number): Promise<{ status: number }>
    /** Checks what must hold afterwards; throws otherwise. */
    check?(winner: number): Promise<void>
  }>
}

export async function startSingleUseStage(): Promise<SingleUseStage> {
  const apple = await startAppleSandbox()
  const ebay = await startTestPlatform({ slug: 'ebay' })
  const server = await startTestServer({
    works: false,
    platforms: [ebay.adapter],
    passwords: cheapPasswords,
    environment: apple.environment,
  })
  return {
    server,
    api: apiOf(server.url),
    apple,
    ebay,
    async close() {
      await server.close()
      await ebay.close()
      await apple.close()
    },
  }
}

/**
 * Runs one race: uses a value `attempts` times at once. Throws unless exactly one succeeds. Returns false if the
 * machine was too busy (503) and nobody succeeded; the round then does not count.
 */
export async function raceOnce(stage: SingleUseStage, thing: SingleUse, attempts: number): Promise<boolean> {
  const { attempt, check } = await thing.prepare(stage)
  const replies = await parallel(attempts, attempt)
  const winners = replies.flatMap(({ status }, index) => (status === thing.won ? [index] : []))
  const turnedAway = replies.some(({ status }) => status === 503)
  const others = replies.filter(({ status }) => ![thing.won, thing.lost, 503].includes(status))
  if (winners.length > 1 || others.length > 0 || (winners.length === 0 && !turnedAway)) {
    const seen = JSON.stringify(replies.map(({ status }) => status))
    throw new Error(`${thing.name}: ${winners.length} of ${attempts} succeeded, statuses ${seen}`)
  }
  if (winners.length === 1) await check?.(winners[0]!)
  return !turnedAway
}

// The race is real; its preparation is written straight into the tables.
export const singleUse: SingleUse[] = [
  {
    name: 'a sign-up code',
    won: 201,
    lost: 400,
    async prepare(stage) {
      const { token, code } = await insertChallenge(stage, 'signup', somePhone())
      const body = { signup_token: token, code }
      return { attempt: () => stage.api('POST', '/api/auth/register/verify/', { body }) }
    },
  },
  {
    name: 'a sign-in code',
    won: 200,
    lost: 400,
    async prepare(stage) {
      const phone = somePhone()
      await insertUser(stage, phone)
      const { token, code } = await insertChallenge(stage, 'signin', phone)
      const body = { signin_token: token, code }
      return { attempt: () => stage.api('POST', '/api/auth/login/phone/verify/', { body }) }
    },
  },
  {
    name: 'a reset token, which sets the password of its winner',
    won: 200,
    lost: 400,
    async prepare(stage) {
      const { token, id } = await insertMailboxToken(stage, 'reset')
      const passwordOf = (index: number) => `quiet harbour ${100 + index}`
      return {
        attempt(index) {
          const password = passwordOf(index)
          const body = { token, password, password_confirm: password }
          return stage.api('POST', '/api/auth/password/reset/confirm/', { body })
        },
        async check(winner) {
          const { db } = stage.server.services
          const { password_hash } = await db.one('select password_hash from app_user where id = $1', [id])
          if (password_hash !== `cheap:${passwordOf(winner)}`) throw new Error(`the password is ${password_hash}`)
        },
      }
    },
  },
  {
    name: 'a verification token',
    won: 200,
    lost: 400,
    async prepare(stage) {
      const { token } = await insertMailboxToken(stage, 'verify')
      return { attempt: () => stage.api('POST', '/api/auth/email-verification/confirm/', { body: { token } }) }
    },
  },
  {
    name: 'an Apple token with its authorization code',
    won: 200,
    lost: 401,
    async prepare(stage) {
      const body = await stage.apple.signIn({ sub: randomUUID() })
      return { attempt: () => stage.api('POST', '/api/auth/apple/', { body }) }
    },
  },
  {
    name: 'an authorization code with a new token each time',
    won: 200,
    lost: 401,
    async prepare(stage) {
      const sub = randomUUID()
      const { authorization_code } = await stage.apple.signIn({ sub })
      return {
        async attempt() {
          const { identity_token } = await stage.apple.signIn({ sub })
          return stage.api('POST', '/api/auth/apple/', { body: { identity_token, authorization_code } })
        },
      }
    },
  },
  {
    name: 'a connect ticket',
    won: 302,
    lost: 400,
    async prepare(stage) {
      const account = await buildAccount(stage.server.services.db)
      const url = await startConnecting(stage.server.url, account, 'ebay')
      return { attempt: () => signedInBrowser(stage.server.url, account).get(url) }
    },
  },
  {
    name: 'an OAuth state, with one exchange of its code',
    won: 200,
    lost: 400,
    async prepare(stage) {
      const { server, ebay } = stage
      const shop = newSecret('hpxt').slice(5, 20)
      ebay.seller = { id: shop, name: shop }
      const account = await buildAccount(server.services.db)
      const browser = signedInBrowser(server.url, account)
      const login = await browser.get(await startConnecting(server.url, account, 'ebay'))
      const callback = (await browser.get(login.location!)).location!
      const before = ebay.counts.exchange
      return {
        async attempt() {
          const { status, text } = await browser.get(callback)
          // A later request is told which shop is connected.
          return { status: text.includes('finished before') ? 400 : status }
        },
        async check() {
          const exchanges = ebay.counts.exchange - before
          if (exchanges !== 1) throw new Error(`${exchanges} exchanges of the code`)
        },
      }
    },
  },
]

async function insertChallenge({ server }: SingleUseStage, purpose: 'signup' | 'signin', phone: string) {
  const token = randomUUID()
  const code = '123456'
  const hash = createHash('sha256').update(token).digest()
  await server.services.db.none(
    `insert into phone_challenge (token_hash, purpose, phone_number, code_mac, expires_at)
     values ($1, $2, $3, $4, now() + interval '10 minutes')`,
    [hash, purpose, phone, codeMac(server.services.config, hash, code)],
  )
  return { token, code }
}

async function insertUser(
  { server }: SingleUseStage,
  phone: string | null = null,
): Promise<{ id: number; email: string }> {
  const email = someEmail()
  return server.services.db.one(
    `insert into app_user (username, email, phone_number, phone_verified, password_hash)
     values ($1, $2, $3, $4, $5) returning id, email`,
    [email.split('@')[0], email, phone, phone !== null, `cheap:${goodPassword}`],
  )
}

async function insertMailboxToken(stage: SingleUseStage, purpose: 'reset' | 'verify') {
  const holder = await insertUser(stage)
  const token = newSecret(purpose === 'reset' ? 'hpxr' : 'hpxv')
  await stage.server.services.db.none(
    `insert into mailbox_token (user_id, token_hash, purpose, email, expires_at)
     values ($1, $2, $3, $4, now() + interval '10 minutes')`,
    [holder.id, hashSecret(token), purpose, holder.email],
  )
  return { token, ...holder }
}
