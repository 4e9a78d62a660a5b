import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { PlatformError } from '#server/integrations/errors.ts'
import type { PlatformAdapter, TokenGrant } from '#server/integrations/port.ts'
import { randomBase62 } from '#shared/identity.ts'
import type { OAuthSlug } from '#shared/platforms.ts'

/** A small OAuth server over real HTTP with its adapter. It checks codes, PKCE and token rotation. */
export interface TestPlatform {
  adapter: PlatformAdapter
  url: string
  /** The seller who consents next. */
  seller: { id: string; name: string }
  counts: { exchange: number; refresh: number; identify: number; revoke: number }
  /** Every token and code issued so far. */
  issuedSecrets: string[]
  /** Lifetime of access tokens issued from now on. */
  accessSeconds: number
  /** Runs before a call is answered; may wait, or throw a status to answer with. */
  before: (call: 'exchange' | 'refresh' | 'identify' | 'revoke') => Promise<void>
  /** Revokes every grant: refresh tokens get `invalid_grant`, access tokens 401. */
  revokeAll(): void
  /** Expires access tokens only. */
  expireAccess(): void
  close(): Promise<void>
}

interface Grant {
  seller: { id: string; name: string }
}

interface TestPlatformOptions {
  slug?: OAuthSlug
  pkce?: boolean
  /** A refresh returns a new refresh token and invalidates the old one. */
  rotating?: boolean
}

export async function startTestPlatform(options: TestPlatformOptions = {}): Promise<TestPlatform> {
  const { slug = 'ebay', pkce = false, rotating = false } = options
  const codes = new Map<string, Grant & { redirectUri: string; challenge: string | null }>()
  const refreshTokens = new Map<string, Grant>()
  const accessTokens = new Map<string, Grant>()
  const secret = (kind: string) => {
    const value = `${kind}-canary-${randomBase62(24)}`
    platform.issuedSecrets.push(value)
    return value
  }

  function grant(seller: Grant['seller'], oldRefresh: string | null): TokenGrant {
    const access = secret('access')
    accessTokens.set(access, { seller })
    const refresh = oldRefresh === null || rotating ? secret('refresh') : null
    if (refresh) refreshTokens.set(refresh, { seller })
    if (oldRefresh !== null && rotating) refreshTokens.delete(oldRefresh)
    return {
      access_token: access,
      refresh_token: refresh,
      expires_in_seconds: platform.accessSeconds,
      refresh_expires_in_seconds: refresh ? 7_776_000 : null,
      scopes: [],
    }
  }

  const refuse = (status: number, error: string) => ({ status, body: { error } })

  async function answer(request: IncomingMessage, form: URLSearchParams): Promise<{ status: number; body: object }> {
    const { pathname } = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (pathname === '/revoke') {
      platform.counts.revoke++
      await platform.before('revoke')
      accessTokens.delete(form.get('token') ?? '')
      return { status: 200, body: {} }
    }
    if (pathname === '/me') {
      platform.counts.identify++
      await platform.before('identify')
      const found = accessTokens.get(String(request.headers.authorization).replace('Bearer ', ''))
      return found ? { status: 200, body: found.seller } : refuse(401, 'invalid_token')
    }
    if (form.get('grant_type') === 'authorization_code') {
      platform.counts.exchange++
      await platform.before('exchange')
      const code = codes.get(form.get('code') ?? '')
      codes.delete(form.get('code') ?? '')
      const challenge = createHash('sha256')
        .update(form.get('code_verifier') ?? '')
        .digest('base64url')
      if (!code || code.redirectUri !== form.get('redirect_uri')) return refuse(400, 'invalid_grant')
      if (pkce && code.challenge !== challenge) return refuse(400, 'invalid_grant')
      return { status: 200, body: grant(code.seller, null) }
    }
    platform.counts.refresh++
    await platform.before('refresh')
    const token = form.get('refresh_token') ?? ''
    const found = refreshTokens.get(token)
    return found ? { status: 200, body: grant(found.seller, token) } : refuse(400, 'invalid_grant')
  }

  /** The consent page: the current seller agrees at once, or declines with `?deny`. */
  function consent(request: IncomingMessage, response: ServerResponse): void {
    const query = new URL(request.url ?? '/', 'http://127.0.0.1').searchParams
    const back = new URL(query.get('redirect_uri') ?? '')
    const code = secret('code')
    codes.set(code, {
      seller: platform.seller,
      redirectUri: query.get('redirect_uri') ?? '',
      challenge: query.get('code_challenge'),
    })
    back.searchParams.set('code', code)
    back.searchParams.set('state', query.get('state') ?? '')
    response.writeHead(302, { location: back.href }).end()
  }

  const server = createServer(async (request, response) => {
    if (request.url?.startsWith('/authorize')) return consent(request, response)
    let text = ''
    for await (const chunk of request) text += chunk
    try {
      const { status, body } = await answer(request, new URLSearchParams(text))
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    } catch (status) {
      if (typeof status !== 'number') throw status
      response.writeHead(status).end('{"error":"injected fault"}')
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  async function call<T>(path: string, form: Record<string, string | null> | null, token?: string): Promise<T> {
    const given = Object.entries(form ?? {}).filter((entry): entry is [string, string] => entry[1] !== null)
    const response = await fetch(`${url}${path}`, {
      headers: token ? { authorization: `Bearer ${token}` } : {},
      ...(form ? { method: 'POST', body: new URLSearchParams(given) } : {}),
    })
    const body = (await response.json()) as T & { error?: string }
    if (response.ok) return body
    const failure =
      body.error === 'invalid_grant' ? 'reconnect' : response.status === 401 ? 'unauthorized' : 'unavailable'
    throw new PlatformError(slug, failure, `the test platform answered ${response.status}`)
  }

  const adapter: PlatformAdapter = {
    slug,
    policyUrls: { shipping: `${url}/shipping`, returns: `${url}/returns` },
    oauth: {
      pkce,
      authorizeUrl: ({ state, redirectUri, codeChallenge }) =>
        `${url}/authorize?${new URLSearchParams({
          state,
          redirect_uri: redirectUri,
          ...(codeChallenge ? { code_challenge: codeChallenge, code_challenge_method: 'S256' } : {}),
        })}`,
      exchangeCode: ({ code, redirectUri, codeVerifier }) =>
        call('/token', {
          grant_type: 'authorization_code',
          code,
          redirect_uri: redirectUri,
          code_verifier: codeVerifier,
        }),
      refresh: (refresh_token) => call('/token', { grant_type: 'refresh_token', refresh_token }),
      identify: async (accessToken) => {
        const me = await call<{ id: string; name: string }>('/me', null, accessToken)
        return { external_id: me.id, external_name: me.name, url: `${url}/shops/${me.name}` }
      },
      revoke: async ({ accessToken }) => {
        await call('/revoke', { token: accessToken })
      },
    },
    imports: {
      states: ['active'],
      readPage: async () => ({ listings: [], failures: [], nextCursor: null, total: 0 }),
      readOne: async (_access, listing_id) => ({ listing_id, error_code: 'fetch_failed', error_message: 'none' }),
    },
  }

  const platform: TestPlatform = {
    adapter,
    url,
    seller: { id: 'S-1', name: 'vintage_vera' },
    counts: { exchange: 0, refresh: 0, identify: 0, revoke: 0 },
    issuedSecrets: [],
    accessSeconds: 7_200,
    before: async () => {},
    revokeAll() {
      refreshTokens.clear()
      accessTokens.clear()
    },
    expireAccess: () => accessTokens.clear(),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return platform
}
