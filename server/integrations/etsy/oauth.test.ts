import { createHash } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { createEtsySandbox } from '#server/sandbox/etsy/index.ts'
import { consentAs } from '#server/sandbox/testing/consent-on-etsy.ts'
import { errorOfOAuth } from './errors.ts'
import { createEtsyAdapter } from './index.ts'
import { client, type RunningEtsySandbox, startEtsySandbox } from './testing/etsy-sandbox.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})
async function start(...options: Parameters<typeof startEtsySandbox>): Promise<RunningEtsySandbox> {
  const running = await startEtsySandbox(...options)
  closing.push(() => running.sandbox.close())
  return running
}

const redirectUri = client.redirectUris[0]!
const codeVerifier = 'a-verifier-of-forty-three-characters-or-more'
const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url')

async function codeFor({ adapter }: RunningEtsySandbox, name: string): Promise<string> {
  const back = new URL(
    await consentAs(adapter.oauth.authorizeUrl({ state: 'state', redirectUri, codeChallenge }), name),
  )
  return back.searchParams.get('code')!
}

describe('signing in at Etsy', () => {
  it('requests all scopes, separated by %20, with PKCE', async () => {
    const { adapter } = await start()
    const url = adapter.oauth.authorizeUrl({ state: 'a b', redirectUri, codeChallenge })
    expect(url).toContain('scope=listings_r%20listings_w%20listings_d%20shops_r%20transactions_r%20transactions_w&')
    expect(url).not.toContain('+')
    const query = Object.fromEntries(new URL(url).searchParams)
    expect(query).toMatchObject({
      response_type: 'code',
      client_id: client.clientId,
      redirect_uri: redirectUri,
      state: 'a b',
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
    })
  })

  it('throws without PKCE', async () => {
    const { adapter } = await start()
    expect(() => adapter.oauth.authorizeUrl({ state: 's', redirectUri, codeChallenge: null })).toThrow('PKCE')
    expect(() => adapter.oauth.exchangeCode({ code: 'c', redirectUri, codeVerifier: null })).toThrow('PKCE')
  })

  it('sends key and secret everywhere but to the token endpoint', async () => {
    const sent: { url: string; init: RequestInit }[] = []
    const recorded: typeof fetch = (url, init = {}) => {
      sent.push({ url: String(url), init })
      return fetch(url, init)
    }
    const running = await start({}, { fetch: recorded })
    const code = await codeFor(running, 'VintageVeraShop')
    const grant = await running.adapter.oauth.exchangeCode({ code, redirectUri, codeVerifier })
    await running.adapter.oauth.identify(grant.access_token)
    const [token, ...others] = sent
    expect(JSON.stringify(token)).not.toContain(client.clientSecret)
    expect(others).toHaveLength(2)
    for (const { init } of others) {
      expect(new Headers(init.headers).get('x-api-key')).toBe(`${client.clientId}:${client.clientSecret}`)
    }
  })

  it('identifies the shop by id, name and plain page', async () => {
    const running = await start()
    const { access_token } = running.sandbox.grant('VintageVeraShop')
    expect(access_token).toMatch(/^88000001\./)
    expect(await running.adapter.oauth.identify(access_token)).toEqual({
      external_id: '31000001',
      external_name: 'VintageVeraShop',
      url: `${running.url}/shop/VintageVeraShop`,
      currency: 'USD',
      on_vacation: false,
    })
  })

  it('refuses an account without a shop', async () => {
    const running = await start()
    const code = await codeFor(running, 'buyer_bo')
    const { access_token } = await running.adapter.oauth.exchangeCode({ code, redirectUri, codeVerifier })
    await expect(running.adapter.oauth.identify(access_token)).rejects.toMatchObject({
      failure: 'refused',
      platformCode: 'no_shop',
    })
  })

  it('classifies a missing scope as unauthorized', async () => {
    const running = await start()
    const { access_token } = running.sandbox.grant('VintageVeraShop', ['listings_r'])
    await expect(running.adapter.oauth.identify(access_token)).rejects.toMatchObject({
      failure: 'unauthorized',
      message: expect.stringContaining('requires scope: shops_r'),
    })
  })

  it('classifies a wrong API key as refused', async () => {
    const running = await start()
    const sandbox = createEtsySandbox({ ...client, clientSecret: 'another', limits: null })
    const url = await sandbox.listen(0)
    closing.push(() => sandbox.close())
    const adapter = createEtsyAdapter({
      config: {
        ETSY_CLIENT_ID: client.clientId,
        ETSY_CLIENT_SECRET: client.clientSecret,
        ETSY_AUTH_URL: url,
        ETSY_API_URL: url,
      },
      fetch,
    })
    const { access_token } = running.sandbox.grant('VintageVeraShop')
    await expect(adapter.oauth.identify(access_token)).rejects.toMatchObject({ failure: 'refused' })
  })
})

describe('Etsy’s tokens', () => {
  it('rotate, and the old refresh token is invalid at once', async () => {
    const { sandbox, adapter } = await start()
    const first = sandbox.grant('VintageVeraShop')
    const second = await adapter.oauth.refresh(first.refresh_token)
    expect(second).toMatchObject({ expires_in_seconds: 3_600, refresh_expires_in_seconds: 7_776_000 })
    expect(second.refresh_token).not.toBe(first.refresh_token)
    await expect(adapter.oauth.refresh(first.refresh_token)).rejects.toMatchObject({
      failure: 'reconnect',
      platformCode: 'invalid_grant',
    })
    expect((await adapter.oauth.refresh(second.refresh_token!)).access_token).not.toBe('')
  })

  it('are malformed without a new refresh token', async () => {
    const adapter = createEtsyAdapter({
      config: {
        ETSY_CLIENT_ID: 'key',
        ETSY_CLIENT_SECRET: 'secret',
        ETSY_AUTH_URL: 'https://e.example',
        ETSY_API_URL: 'https://e.example',
      },
      fetch: async () => Response.json({ access_token: '1.a', token_type: 'Bearer', expires_in: 3600 }),
    })
    await expect(adapter.oauth.refresh('1.r')).rejects.toMatchObject({ failure: 'malformed' })
  })

  it.each([
    [400, { error: 'invalid_grant', error_description: 'code has been used' }, 'reconnect'],
    [400, { error: 'invalid_request', error_description: 'code_verifier is required' }, 'refused'],
    [401, { error: 'invalid_client' }, 'refused'],
    [500, { error: 'Server Error' }, 'unavailable'],
    [503, '<html>', 'unavailable'],
    [429, { error: 'Exceeded rate limit' }, 'rate_limited'],
  ])('fail with HTTP %i and %o as %s', (status, body, failure) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    expect(errorOfOAuth('the refresh', { status, headers: new Headers(), text }).failure).toBe(failure)
  })
})
