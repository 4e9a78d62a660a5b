import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Api, apiOf, bearer, parallel, statuses } from '#e2e/harness/api.ts'
import { cheapPasswords } from '#e2e/harness/cheap-passwords.ts'
import { codeIn, waitForMessage } from '#e2e/harness/outbox.ts'
import { goodPassword, someEmail, somePhone } from '#e2e/harness/register.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { runAdmin } from '#server/operations/admin/run-admin.ts'
import { type AppleSandbox, startAppleSandbox } from '#server/sandbox/apple.ts'
import { randomBase62 } from '#shared/identity.ts'

let apple: AppleSandbox
let server: TestServer
let api: Api
beforeAll(async () => {
  apple = await startAppleSandbox()
  server = await startTestServer({
    environment: { SANDBOX: 'on', ...apple.environment },
    passwords: cheapPasswords,
  })
  api = apiOf(server.url)
})
afterAll(async () => {
  await server?.close()
  await apple?.close()
})

const set = (REGISTRATION: 'open' | 'invited' | 'closed') => Object.assign(server.services.config, { REGISTRATION })
/** Leaves an installation without accounts, as after its first start. */
const removeAccounts = () => server.services.db.none('truncate app_user cascade')
const closed = { status: 403, body: { code: 'registration_closed' } }

const byEmail = (more: object = {}, email = someEmail()) =>
  api('POST', '/api/auth/register/email/', {
    body: { email, password: goodPassword, password_confirm: goodPassword, ...more },
  })
const beginByPhone = (more: object = {}, phone_number = somePhone()) =>
  api('POST', '/api/auth/register/begin/', { body: { phone_number, ...more } })
const verifyPhone = (signup_token: string, code: string) =>
  api('POST', '/api/auth/register/verify/', { body: { signup_token, code } })
const somebody = () => ({
  sub: `00${randomBase62(4)}.${randomBase62(32).toLowerCase()}.1234`,
  email: someEmail(),
  email_verified: true as const,
})
const byApple = async (more: object = {}, who = somebody()) =>
  api('POST', '/api/auth/apple/', { body: { ...(await apple.signIn(who)), ...more } })
const byPage = (query = '', email = someEmail()) =>
  fetch(`${server.url}/connect/register/?${query}`, {
    method: 'POST',
    redirect: 'manual',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      origin: server.url,
      'sec-fetch-site': 'same-origin',
    },
    body: new URLSearchParams({ email, password: goodPassword, password_confirm: goodPassword }),
  })

/** Registers the first account of an invited installation, and returns its session. */
async function becomeOwner() {
  await removeAccounts()
  set('invited')
  const { status, body } = await byEmail()
  expect(status).toBe(201)
  return { id: body.user.id as number, email: body.user.email as string, headers: bearer(body.token) }
}
type Owner = Awaited<ReturnType<typeof becomeOwner>>
const invite = async ({ headers }: Owner): Promise<string> => {
  const { status, body } = await api('POST', '/api/v1/server/invitations/', { headers })
  expect(status).toBe(201)
  return invitationIn(body.url)
}
const invitationIn = (url: string) => new URL(url).searchParams.get('invitation') ?? ''
const countAccounts = async () => (await server.services.db.one('select count(*)::integer from app_user')).count

describe('a closed server', () => {
  it('refuses a stranger by email, phone, Apple and its page', async () => {
    set('open')
    const known = { email: someEmail(), phone: somePhone() }
    await byEmail({}, known.email)
    set('closed')
    const before = await countAccounts()
    const answers = [
      ...[await byEmail(), await byEmail({}, known.email), await beginByPhone(), await beginByPhone({}, known.phone)],
      ...[await byApple(), await byApple({}, { ...somebody(), email: known.email })],
    ]
    for (const answer of answers) expect(answer).toMatchObject(closed)
    // Nothing tells a known address or number from an unknown one.
    expect(new Set(answers.map(({ body }) => body.detail)).size).toBe(1)
    expect((await byPage()).status).toBe(403)
    expect(await countAccounts()).toBe(before)
  })

  it('lets a linked Apple identity in', async () => {
    set('open')
    const who = somebody()
    const first = await byApple({}, who)
    set('closed')
    expect(await byApple({}, who)).toMatchObject({ status: 200, body: { user: first.body.user } })
  })

  it('refuses a code by phone that was asked for before it closed', async () => {
    set('open')
    const phone = somePhone()
    const { body } = await beginByPhone({}, phone)
    const code = codeIn(await waitForMessage(server.services, phone, 'signup-code'))
    set('closed')
    expect(await verifyPhone(body.signup_token, code)).toMatchObject(closed)
  })

  it('refuses even an empty installation', async () => {
    await removeAccounts()
    set('closed')
    expect(await byEmail()).toMatchObject(closed)
  })
})

it.each([
  ['open', true, true],
  ['invited', true, false],
  ['closed', false, false],
] as const)('an account is offered where one can be made: %s', async (mode, ...offered) => {
  const isOffered = async (path: string) =>
    (await (await fetch(`${server.url}${path}`)).text()).includes('Create an account')
  await removeAccounts()
  for (const isOpen of offered) {
    set(mode)
    expect([await isOffered('/'), await isOffered('/connect/?to=app')]).toEqual([isOpen, isOpen])
    expect((await fetch(`${server.url}/connect/register/`)).status).toBe(isOpen ? 200 : 403)
    set('open')
    await byEmail()
  }
})

describe('the first account of an invited server', () => {
  beforeEach(async () => {
    await removeAccounts()
    set('invited')
  })

  it.each([
    ['email', async () => (await byEmail()).body],
    ['Apple', async () => (await byApple()).body],
    [
      'phone',
      async () => {
        const phone = somePhone()
        const { body } = await beginByPhone({}, phone)
        return (
          await verifyPhone(body.signup_token, codeIn(await waitForMessage(server.services, phone, 'signup-code')))
        ).body
      },
    ],
  ])('is made freely by %s, and owns it', async (_, register) => {
    const { token } = await register()
    const read = await api('GET', '/api/v1/server/', { headers: bearer(token) })
    expect(read).toMatchObject({ status: 200, body: { owned: { registration: 'invited', invitations: 0 } } })
    expect(await byEmail()).toMatchObject(closed)
    expect(await byApple()).toMatchObject(closed)
    expect(await beginByPhone()).toMatchObject(closed)
  })

  it('is one of sixteen that come at once', async () => {
    const email = someEmail()
    const replies = await parallel(16, (index) =>
      index % 4 === 0 ? byApple() : byEmail({}, index % 2 ? email : someEmail()),
    )
    const won = replies.filter(({ status }) => status < 300)
    expect(won).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 403)).toHaveLength(15)
    const { count, owners } = await server.services.db.one(
      'select count(*)::integer, count(*) filter (where is_owner)::integer as owners from app_user',
    )
    expect({ count, owners }).toEqual({ count: 1, owners: 1 })
  })

  it('is one of two whose codes by phone come at once', async () => {
    const begun = await Promise.all(
      [somePhone(), somePhone()].map(async (phone) => {
        const { body } = await beginByPhone({}, phone)
        const code = codeIn(await waitForMessage(server.services, phone, 'signup-code'))
        return { token: body.signup_token as string, code }
      }),
    )
    const replies = await Promise.all(begun.map(({ token, code }) => verifyPhone(token, code)))
    expect(statuses(replies)).toEqual({ 201: 1, 403: 1 })
  })

  it('is no stranger’s where accounts were there before', async () => {
    set('open')
    await byEmail()
    set('invited')
    expect(await byEmail()).toMatchObject(closed)
    expect(await server.services.db.any('select from app_user where is_owner')).toEqual([])
  })
})

describe('an invitation', () => {
  let owner: Owner
  beforeEach(async () => {
    owner = await becomeOwner()
  })

  it('is a link to the page that creates an account', async () => {
    const { body } = await api('POST', '/api/v1/server/invitations/', { headers: owner.headers })
    expect(body.url).toMatch(new RegExp(`^${server.url}/connect/register/\\?to=app&invitation=hpxi_\\w{38}$`))
    const page = await fetch(body.url)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Create account')])
    expect((await byPage(new URL(body.url).search.slice(1))).status).toBe(303)
    const again = await fetch(body.url)
    expect([again.status, await again.text()]).toEqual([403, expect.not.stringContaining('Create account')])
  })

  it.each([
    ['email', async (invitation: string) => byEmail({ invitation })],
    ['Apple', async (invitation: string) => byApple({ invitation })],
    [
      'phone',
      async (invitation: string) => {
        const phone = somePhone()
        const { body } = await beginByPhone({ invitation }, phone)
        const code = codeIn(await waitForMessage(server.services, phone, 'signup-code'))
        return verifyPhone(body.signup_token, code)
      },
    ],
  ])('lets one person in by %s, once', async (_, register) => {
    const invitation = await invite(owner)
    const { status, body } = await register(invitation)
    expect(status).toBeLessThan(300)
    expect((await api('GET', '/api/v1/server/', { headers: bearer(body.token) })).body.owned).toBeNull()
    for (const answer of [
      await byEmail({ invitation }),
      await beginByPhone({ invitation }),
      await byApple({ invitation }),
    ]) {
      expect(answer).toMatchObject(closed)
    }
  })

  it('lets one of sixteen in who use it at once', async () => {
    const invitation = await invite(owner)
    const replies = await parallel(16, (index) => (index % 3 ? byEmail({ invitation }) : byApple({ invitation })))
    expect(replies.filter(({ status }) => status < 300)).toHaveLength(1)
    expect(replies.filter(({ status }) => status === 403)).toHaveLength(15)
  })

  it('stays where the registration fails', async () => {
    const invitation = await invite(owner)
    expect(await byEmail({ invitation }, owner.email)).toMatchObject({ status: 409 })
    expect(await byEmail({ invitation })).toMatchObject({ status: 201 })
  })

  it('ends after seven days, and by the owner', async () => {
    const [old, other] = [await invite(owner), await invite(owner)]
    const { db } = server.services
    await db.none('update invitation set expires_at = now() where token_hash = sha256($1::bytea)', [Buffer.from(old)])
    expect(await byEmail({ invitation: old })).toMatchObject(closed)
    expect((await api('GET', '/api/v1/server/', { headers: owner.headers })).body.owned.invitations).toBe(1)
    expect((await api('DELETE', '/api/v1/server/invitations/', { headers: owner.headers })).status).toBe(204)
    expect(await byEmail({ invitation: other })).toMatchObject(closed)
  })

  it.each([['nothing'], ['hpxi_'], ['x'.repeat(200)], ['0']])('is refused as %.8s', async (invitation) => {
    expect(await byEmail({ invitation })).toMatchObject(closed)
  })

  it('is made by the owner alone', async () => {
    const guest = (await byEmail({ invitation: await invite(owner) })).body
    const headers = bearer(guest.token)
    expect((await api('POST', '/api/v1/server/invitations/', { headers })).status).toBe(404)
    expect((await api('DELETE', '/api/v1/server/invitations/', { headers })).status).toBe(404)
  })

  it('opens no closed server, which makes none', async () => {
    const invitation = await invite(owner)
    set('closed')
    expect(await api('POST', '/api/v1/server/invitations/', { headers: owner.headers })).toMatchObject(closed)
    expect(await byEmail({ invitation })).toMatchObject(closed)
  })
})

describe('npm run admin', () => {
  const admin = async (...argv: string[]) => {
    let text = ''
    await runAdmin(server.services, argv, { write: (some) => (text += some), operator: 'test' })
    return text
  }

  it('makes an account on a closed server, of which the first one owns it', async () => {
    await removeAccounts()
    set('closed')
    const emails = [someEmail(), someEmail()]
    for (const email of emails) {
      const { password } = JSON.parse(await admin('user', 'create', '--email', email, '--yes', '--json'))
      const { status, body } = await api('POST', '/api/auth/login/', { body: { email, password } })
      expect(status).toBe(200)
      const { owned } = (await api('GET', '/api/v1/server/', { headers: bearer(body.token) })).body
      expect(owned === null).toBe(email !== emails[0])
    }
    await expect(admin('user', 'create', '--email', emails[0]!, '--yes')).rejects.toThrow(/in use/)
    await expect(admin('user', 'create', '--email', someEmail())).rejects.toThrow(/Add --yes/)
  })

  it('makes a link that works once', async () => {
    await becomeOwner()
    const { url } = JSON.parse(await admin('user', 'invite', '--yes', '--json'))
    expect(await byEmail({ invitation: invitationIn(url) })).toMatchObject({ status: 201 })
    expect(await byEmail({ invitation: invitationIn(url) })).toMatchObject(closed)
  })

  it('hands the installation to another account', async () => {
    const owner = await becomeOwner()
    const guest = (await byEmail({ invitation: await invite(owner) })).body
    await admin('user', 'own', '--email', guest.user.email, '--yes')
    expect((await api('GET', '/api/v1/server/', { headers: owner.headers })).body.owned).toBeNull()
    expect((await api('GET', '/api/v1/server/', { headers: bearer(guest.token) })).body.owned).not.toBeNull()
  })
})
