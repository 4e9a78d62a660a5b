import { describe, expect, it } from 'vitest'
import type { Exchange } from '../http.ts'
import { createOAuth, scopes, sellerUrl } from './oauth.ts'

/** Creates an OAuth port over prepared answers, and records its requests. */
function oauthOver(answers: { status?: number; body: unknown; headers?: Record<string, string> }[]) {
  const sent: { url: string; init: RequestInit }[] = []
  const exchange: Exchange = async (_call, url, init) => {
    sent.push({ url, init })
    const { status = 200, body, headers } = answers.shift()!
    return { status, headers: new Headers(headers), text: typeof body === 'string' ? body : JSON.stringify(body) }
  }
  const oauth = createOAuth({
    clientId: 'App-Id',
    clientSecret: 'cert:id',
    ruName: 'Some-RuName',
    authUrl: 'https://auth.ebay.com',
    apiUrl: 'https://api.ebay.com',
    apizUrl: 'https://apiz.ebay.com',
    exchange,
  })
  return { oauth, sent }
}
const grant = {
  access_token: 'v^1.1#a',
  expires_in: 7200,
  refresh_token: 'v^1.1#r',
  refresh_token_expires_in: 47_304_000,
}

describe('OAuth at eBay', () => {
  it('sends the RuName as redirect_uri, and all scopes', () => {
    const url = new URL(
      oauthOver([]).oauth.authorizeUrl({ state: 'x', redirectUri: 'https://ours.example/', codeChallenge: null }),
    )
    expect(url.origin + url.pathname).toBe('https://auth.ebay.com/oauth2/authorize')
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'App-Id',
      response_type: 'code',
      redirect_uri: 'Some-RuName',
      scope: scopes.join(' '),
      state: 'x',
    })
  })

  it('exchanges a code with Basic credentials in a form', async () => {
    const { oauth, sent } = oauthOver([{ body: grant }])
    await oauth.exchangeCode({ code: 'v^1.1#i^1#p^3+/=&', redirectUri: 'https://ours.example/', codeVerifier: null })
    const [{ url, init }] = sent as [(typeof sent)[0]]
    expect(url).toBe('https://api.ebay.com/identity/v1/oauth2/token')
    const headers = new Headers(init.headers)
    expect(headers.get('authorization')).toBe(`Basic ${btoa('App-Id:cert:id')}`)
    expect(headers.get('content-type')).toBe('application/x-www-form-urlencoded')
    expect(Object.fromEntries(new URLSearchParams(String(init.body)))).toEqual({
      grant_type: 'authorization_code',
      code: 'v^1.1#i^1#p^3+/=&',
      redirect_uri: 'Some-RuName',
    })
  })

  it('returns no refresh token from a refresh', async () => {
    const { oauth } = oauthOver([{ body: { access_token: 'b', expires_in: 7200 } }])
    expect(await oauth.refresh('r')).toMatchObject({ access_token: 'b', refresh_token: null })
  })

  it('rejects a sign-in without a refresh token', async () => {
    const { oauth } = oauthOver([{ body: { access_token: 'b', expires_in: 7200 } }])
    const exchange = oauth.exchangeCode({ code: 'c', redirectUri: '', codeVerifier: null })
    await expect(exchange).rejects.toMatchObject({ failure: 'malformed' })
  })

  it.each([
    [400, { error: 'invalid_grant' }, 'reconnect'],
    [401, { error: 'invalid_client' }, 'refused'],
    [400, { error: 'invalid_scope' }, 'refused'],
    [503, { error: 'temporarily_unavailable' }, 'unavailable'],
    [500, 'Internal Server Error', 'unavailable'],
    [429, { error: 'invalid_grant' }, 'rate_limited'],
    [200, '<html>', 'unavailable'],
    [200, { access_token: '' }, 'malformed'],
    [302, '', 'unavailable'],
  ])('classifies %i %j of a refresh as %s', async (status, body, failure) => {
    await expect(oauthOver([{ status, body }]).oauth.refresh('r')).rejects.toMatchObject({ failure })
  })

  it('identifies the seller by the permanent user id', async () => {
    const { oauth, sent } = oauthOver([
      { body: { userId: 'u1', username: 'näme/1', accountType: 'INDIVIDUAL', registrationMarketplaceId: 'EBAY_GB' } },
    ])
    expect(await oauth.identify('v^1.1#a')).toEqual({
      external_id: 'u1',
      external_name: 'näme/1',
      url: 'https://www.ebay.com/usr/n%C3%A4me%2F1',
      currency: 'GBP',
    })
    expect(sent[0]?.url).toBe('https://apiz.ebay.com/commerce/identity/v1/user/')
    expect(new Headers(sent[0]?.init.headers).get('authorization')).toBe('Bearer v^1.1#a')
  })

  it.each([
    [401, { errors: [{ errorId: 1001, message: 'Invalid access token' }] }, 'unauthorized'],
    [403, { errors: [{ errorId: 1100, message: 'Access denied' }] }, 'refused'],
    [500, { errors: [{ errorId: 140000, message: 'Internal' }] }, 'unavailable'],
    [200, { username: 'without an id' }, 'malformed'],
  ])('classifies %i %j of an identification as %s', async (status, body, failure) => {
    await expect(oauthOver([{ status, body }]).oauth.identify('t')).rejects.toMatchObject({ failure })
  })

  it.each([
    ['https://auth.ebay.com', 'https://www.ebay.com/usr/a'],
    ['https://auth.sandbox.ebay.com', 'https://www.sandbox.ebay.com/usr/a'],
    ['http://127.0.0.1:8081', 'http://127.0.0.1:8081/usr/a'],
  ])('returns the shop’s page for %s', (authUrl, page) => {
    expect(sellerUrl(authUrl, 'a')).toBe(page)
  })
})
