import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Api, apiOf, bearer } from '#e2e/harness/api.ts'
import { cheapPasswords } from '#e2e/harness/cheap-passwords.ts'
import { goodPassword, register } from '#e2e/harness/register.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { until } from '#e2e/harness/until.ts'
import { isFailure } from '#server/integrations/errors.ts'
import { platformFetch } from '#server/integrations/quota/index.ts'
import { runAdmin } from './run-admin.ts'

let server: TestServer
let api: Api
beforeAll(async () => {
  server = await startTestServer({ passwords: cheapPasswords, works: false, environment: { SANDBOX: 'on' } })
  api = apiOf(server.url)
})
afterAll(() => server?.close())

async function run(...argv: string[]): Promise<string> {
  let said = ''
  const write = (text: string) => {
    said += text
  }
  await runAdmin(server.services, argv, { write, operator: 'grace' })
  return said
}
const json = async (...argv: string[]) => JSON.parse(await run(...argv, '--json'))
const close = (token: string) => api('POST', '/api/v1/user/deactivate/', { headers: bearer(token) })
const auditOf = (user_id: number) =>
  server.services.db.any("select action from audit_log where user_id = $1 and user_agent = 'support'", [user_id])

describe('admin user', () => {
  it('finds an account by address or number', async () => {
    const account = await register(api)
    expect(await run('user', 'find', '--email', account.email.toUpperCase())).toContain(`account ${account.id}`)
    expect(await json('user', 'find', '--id', String(account.id))).toMatchObject({ id: account.id, state: 'active' })
    await expect(run('user', 'find', '--email', 'nobody@example.com')).rejects.toThrow('There is no such account.')
  })

  it('shows what an account has', async () => {
    const account = await register(api)
    expect(await json('user', 'show', '--id', String(account.id))).toMatchObject({
      items: 0,
      shops: [],
      failed_jobs: 0,
    })
  })

  it('exports an account and says so in its audit trail', async () => {
    const account = await register(api)
    expect(JSON.parse(await run('user', 'export', '--id', String(account.id)))).toMatchObject({
      account: { id: account.id, email: account.email },
    })
    expect(await auditOf(account.id)).toEqual([{ action: 'account.exported' }])
  })

  it('closes an account after a confirmation', async () => {
    const account = await register(api)
    const id = String(account.id)
    await expect(run('user', 'close', '--id', id)).rejects.toThrow('Add --yes')
    expect((await api('GET', '/api/v1/user/settings/', { headers: bearer(account.token) })).status).toBe(200)
    expect(await json('user', 'close', '--id', id, '--yes')).toEqual({ id: account.id, closed: true })
    expect((await api('GET', '/api/v1/user/settings/', { headers: bearer(account.token) })).status).toBe(401)
    expect(await auditOf(account.id)).toEqual([{ action: 'account.closed' }])
    await expect(run('user', 'close', '--id', id, '--yes')).rejects.toThrow('closed already')
  })

  it('reopens an account within 30 days of closing', async () => {
    const account = await register(api)
    const id = String(account.id)
    await expect(run('user', 'reopen', '--id', id, '--yes')).rejects.toThrow('is open')
    await close(account.token)
    await expect(run('user', 'reopen', '--id', id)).rejects.toThrow('Add --yes')
    expect(await json('user', 'reopen', '--id', id, '--yes')).toEqual({ id: account.id, reopened: true })
    const body = { email: account.email, password: goodPassword }
    expect((await api('POST', '/api/auth/login/', { body })).status).toBe(200)
  })

  it('does not reopen an account after 30 days', async () => {
    const account = await register(api)
    await close(account.token)
    await server.services.db.none("update app_user set deactivated_at = now() - interval '31 days' where id = $1", [
      account.id,
    ])
    await expect(run('user', 'reopen', '--id', String(account.id), '--yes')).rejects.toThrow('cannot be opened')
  })

  it('erases a closed account at once and records it without its name', async () => {
    const account = await register(api)
    const id = String(account.id)
    await expect(run('user', 'erase', '--id', id, '--yes')).rejects.toThrow('Close it first')
    await close(account.token)
    await expect(run('user', 'erase', '--id', id)).rejects.toThrow('cannot be undone')
    await run('user', 'erase', '--id', id, '--yes')
    await expect(run('user', 'find', '--email', account.email)).rejects.toThrow('its data is erased')
    expect((await json('action', 'list'))[0]).toMatchObject({
      operator: 'grace',
      command: 'user erase',
      subject: `user ${id}`,
    })
  })

  it('removes a lost authenticator app and notifies its owner', async () => {
    const account = await register(api)
    const id = String(account.id)
    await expect(run('user', 'remove-app', '--id', id, '--yes')).rejects.toThrow('has no authenticator app')
    await server.services.db.none(
      "insert into totp_secret (user_id, encrypted_secret, confirmed_at, created_at) values ($1, 'x', now(), now())",
      [account.id],
    )
    await expect(run('user', 'remove-app', '--id', id)).rejects.toThrow('Add --yes')
    expect(await json('user', 'remove-app', '--id', id, '--yes')).toEqual({ id: account.id, app_removed: true })
    expect(await server.services.db.any('select from totp_secret where user_id = $1', [account.id])).toEqual([])
    expect(await auditOf(account.id)).toEqual([{ action: 'second_factor.disabled' }])
    const mails = await server.services.db.any(
      "select from outbox_message where user_id = $1 and template = 'second-factor'",
      [account.id],
    )
    expect(mails).toHaveLength(1)
  })
})

describe('admin subscription', () => {
  it('refuses a day that does not exist', async () => {
    await expect(run('subscription', 'grant', '--id', '1', '--until', '2199-02-31', '--yes')).rejects.toThrow('no date')
  })
})

describe('admin job', () => {
  const stateOf = async (id: string) =>
    (await server.services.db.one('select state::text from jobs.job where id = $1', [id])).state
  async function someJob(state: string): Promise<string> {
    const { db, jobs } = server.services
    await jobs.send(db, 'erase-accounts', {}, { key: `admin-${state}-${Math.random()}`, group: '12' })
    const { id } = await db.one(
      'update jobs.job set state = $1, output = \'{"message":"boom"}\' where id = (select id from jobs.job where group_id = \'12\' order by created_on desc limit 1) returning id',
      [state],
    )
    return id
  }

  it('lists failed jobs of an account and retries one', async () => {
    const id = await someJob('failed')
    expect(await json('job', 'list', '--id', '12')).toEqual([expect.objectContaining({ id, error: 'boom' })])
    await expect(run('job', 'retry', id)).rejects.toThrow('Add --yes')
    await run('job', 'retry', id, '--yes')
    expect(await stateOf(id)).toBe('retry')
  })

  it('cancels a waiting job once', async () => {
    const id = await someJob('created')
    await run('job', 'cancel', id, '--yes')
    expect(await stateOf(id)).toBe('cancelled')
    await expect(run('job', 'cancel', id, '--yes')).rejects.toThrow('nothing to cancel')
  })
})

describe('admin message', () => {
  it('lists waiting messages with the reason, the oldest first, without their content', async () => {
    const { db } = server.services
    await db.none(
      `insert into outbox_message (id, channel, template, status, attempts, created_at, expires_at, last_error)
       values ('out_new', 'mail', 'sign-in', 'waiting', 1, now(), now(), 'SMTP: ESOCKET'),
         ('out_old', 'sms', 'code', 'sending', 9, now() - interval '1 hour', now(), null),
         ('out_lost', 'mail', 'sign-in', 'failed', 1, now(), now(), 'SMTP: EENVELOPE 550')`,
    )
    const ids = async (...options: string[]) =>
      (await json('message', 'list', ...options))
        .map(({ id }: { id: string }) => id)
        .filter((id: string) => /^out_(new|old|lost)$/.test(id))
    expect(await ids()).toEqual(['out_old', 'out_new'])
    expect(await ids('--state', 'failed')).toEqual(['out_lost'])
    expect(await run('message', 'list')).toMatch(/out_new {2}mail {2}sign-in .*tries 1 {2}SMTP: ESOCKET/)
    await expect(run('message', 'list', '--state', 'sent')).rejects.toThrow('--state is one of')
    await db.none("delete from outbox_message where id in ('out_new', 'out_old', 'out_lost')")
  })
})

describe('admin platform', () => {
  it('stops calls to one platform until it is resumed', async () => {
    const calls: string[] = []
    const { config, db } = server.services
    const answer = async (url: string) => {
      calls.push(url)
      return new Response('{}')
    }
    const call = platformFetch({ config, db, fetch: answer })
    const [ebay, etsy] = [`${config.EBAY_API_URL}/x`, `${config.ETSY_API_URL}/x`]
    await expect(run('platform', 'pause', 'poshmark', '--yes')).rejects.toThrow('is not ebay or etsy')
    await expect(run('platform', 'pause', 'ebay')).rejects.toThrow('may sell twice')
    await run('platform', 'pause', 'ebay', '--yes')
    expect(await run('platform', 'list')).toContain('ebay: paused since')
    await expect(call(ebay)).rejects.toSatisfy((error) => isFailure(error, 'rate_limited'))
    await call(etsy)
    expect(calls).toEqual([etsy])
    await run('platform', 'resume', 'ebay', '--yes')
    await until(() =>
      call(ebay).then(
        () => true,
        () => false,
      ),
    )
    expect(calls).toEqual([etsy, ebay])
  })
})

it('explains itself without a known command', async () => {
  await expect(run('user', 'befriend')).rejects.toThrow('npm run admin -- COMMAND')
  await expect(run('job', 'retry', '--yes')).rejects.toThrow('Name a job')
})
