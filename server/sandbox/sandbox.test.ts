import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { readConfig } from '#server/config.ts'
import { createPlatforms } from '#server/integrations/registry.ts'
import { type Sandbox, startSandbox } from './index.ts'
import { consentAs } from './testing/consent-on-ebay.ts'
import { consentAs as consentOnEtsyAs } from './testing/consent-on-etsy.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function start(options: { basePort?: number; dataDir?: string } = {}) {
  const dataDir = options.dataDir ?? mkdtempSync(join(tmpdir(), 'hapax-sandbox-'))
  if (!options.dataDir) closing.push(() => rmSync(dataDir, { recursive: true }))
  const sandbox = await startSandbox({
    dataDir,
    basePort: options.basePort ?? 0,
    settings: { PUBLIC_URL: 'http://127.0.0.1:8080' },
    log: { info: () => {} },
  })
  closing.push(() => sandbox.close())
  return { sandbox, dataDir }
}

/** Sets eBay's alert email over its API, which saves the state. */
async function putAlertEmail({ ebay, environment }: Sandbox) {
  const { status } = await fetch(`${environment.EBAY_API_URL}/commerce/notification/v1/config`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${ebay.grants.issueApplication()}`,
      'content-type': 'application/json',
      'accept-language': 'en-US',
    },
    body: JSON.stringify({ alertEmail: 'ops@example.com' }),
  })
  expect(status).toBe(204)
}

describe('the sandbox', () => {
  it('configures eBay in the server’s environment', async () => {
    const { sandbox } = await start()
    const config = readConfig({ PUBLIC_URL: 'http://127.0.0.1:8080', ...sandbox.environment })
    const ebay = createPlatforms({ config, fetch }).get('ebay')!
    const url = ebay.oauth.authorizeUrl({ state: 's', redirectUri: '', codeChallenge: null })
    const back = new URL(await consentAs(url, 'vintage_vera'))
    expect(back.origin + back.pathname).toBe('http://127.0.0.1:8080/accounts/ebay/login/callback/')
    const code = back.searchParams.get('code')!
    const grant = await ebay.oauth.exchangeCode({ code, redirectUri: '', codeVerifier: null })
    expect((await ebay.oauth.identify(grant.access_token)).external_name).toBe('vintage_vera')
  })

  it('configures Etsy in the server’s environment', async () => {
    const { sandbox } = await start()
    const config = readConfig({ PUBLIC_URL: 'http://127.0.0.1:8080', ...sandbox.environment })
    const etsy = createPlatforms({ config, fetch }).get('etsy')!
    const redirectUri = 'http://127.0.0.1:8080/accounts/etsy/login/callback/'
    // The verifier and challenge of RFC 7636, appendix B.
    const codeChallenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
    const codeVerifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
    const url = etsy.oauth.authorizeUrl({ state: 's', redirectUri, codeChallenge })
    const back = new URL(await consentOnEtsyAs(url, 'VintageVeraShop'))
    const code = back.searchParams.get('code')!
    const grant = await etsy.oauth.exchangeCode({ code, redirectUri, codeVerifier })
    expect((await etsy.oauth.identify(grant.access_token)).external_name).toBe('VintageVeraShop')
  })

  it.each([
    { name: 'eBay', seller: 'vintage_vera' },
    { name: 'Etsy', seller: 'VintageVeraShop' },
  ])('injects faults and revokes consent on a page of $name', async ({ name, seller }) => {
    const { sandbox } = await start()
    const url = sandbox.pages.find((page) => page.name === `Sandbox ${name}`)!.url
    const market = name === 'eBay' ? sandbox.ebay : sandbox.etsy
    const post = (fields: Record<string, string>) =>
      fetch(`${url}faults`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
    const chosen = { action: 'set', kind: 'http_500', call: 'token', times: '2', skip: '0', seconds: '5' }
    expect((await post(chosen)).status).toBe(303)
    expect(await (await fetch(`${url}faults`)).text()).toContain('<li>token: http_500, 2 more</li>')

    const { environment } = sandbox
    const config = readConfig({ PUBLIC_URL: 'http://127.0.0.1:8080', ...environment })
    const platform = createPlatforms({ config, fetch }).get(name === 'eBay' ? 'ebay' : 'etsy')!
    const tokens = market.grant(seller)
    const refresh = () => platform.oauth.refresh(tokens.refresh_token)
    await expect(refresh()).rejects.toMatchObject({ failure: 'unavailable' })
    await expect(refresh()).rejects.toMatchObject({ failure: 'unavailable' })
    expect(await (await fetch(`${url}faults`)).text()).toContain('None.')

    expect((await post({ action: 'revoke', seller })).status).toBe(303)
    await expect(refresh()).rejects.toMatchObject({ failure: 'reconnect' })

    await post(chosen)
    expect((await post({ action: 'clear' })).status).toBe(303)
    expect(market.faults.inForce()).toEqual([])
    for (const wrong of [
      { kind: 'earthquake' },
      { times: '0' },
      { times: '1.5' },
      { seconds: '-1' },
      { call: '<b>' },
    ]) {
      expect((await post({ ...chosen, ...wrong })).status, JSON.stringify(wrong)).toBe(400)
    }
    expect((await post({ action: 'revoke', seller: 'nobody' })).status).toBe(400)
    expect(market.faults.inForce()).toEqual([])
  })

  it.each(['eBay', 'Etsy'])('breaks %s for two minutes by one press', async (name) => {
    const { sandbox } = await start()
    const url = sandbox.pages.find((page) => page.name === `Sandbox ${name}`)!.url
    const market = name === 'eBay' ? sandbox.ebay : sandbox.etsy
    const home = await (await fetch(url)).text()
    for (const [kind, words] of [
      ['fail_before', 'Down for 2 minutes'],
      ['slow', 'Slow for 2 minutes'],
      ['http_500', 'Refuses for 2 minutes'],
    ] as const) {
      expect(home).toContain(`<button name="press" value="${kind}">${words}</button>`)
      await fetch(`${url}faults`, { method: 'POST', body: new URLSearchParams({ press: kind }) })
      const [fault] = market.faults.inForce()
      expect(fault).toMatchObject({ call: '*', kind })
      const left = fault!.untilMs - performance.now()
      expect(left).toBeGreaterThan(60_000)
      expect(left).toBeLessThanOrEqual(120_000)
      market.faults.clear()
    }
  })

  it('serves its pages', async () => {
    const { sandbox } = await start()
    for (const page of sandbox.pages) expect((await fetch(page.url)).status).toBe(200)
  })

  it('saves connections over a restart', async () => {
    const { sandbox, dataDir } = await start()
    const { refresh_token } = sandbox.ebay.grant('camera_carl')
    await sandbox.close()
    const again = (await start({ dataDir })).sandbox
    const config = readConfig({ ...again.environment })
    const ebay = createPlatforms({ config, fetch }).get('ebay')!
    expect((await ebay.oauth.refresh(refresh_token)).access_token).not.toBe('')
  })

  it('saves subscriptions to eBay’s notifications over a restart', async () => {
    const { sandbox, dataDir } = await start()
    const kept = {
      alertEmail: 'ops@example.com',
      destinations: [
        { destinationId: 'd', name: 'Hapax', status: 'ENABLED', endpoint: 'http://127.0.0.1:1/webhooks/ebay/' },
      ],
      subscriptions: [
        {
          subscriptionId: 's',
          seller: 'camera_carl',
          topicId: 'ORDER_CONFIRMATION',
          status: 'ENABLED',
          destinationId: 'd',
        },
      ],
    }
    Object.assign(sandbox.ebay.notifications, kept)
    await putAlertEmail(sandbox)
    await sandbox.close()
    const again = (await start({ dataDir })).sandbox
    expect(again.ebay.notifications).toEqual(kept)
    const item = again.ebay.market.itemsOf('camera_carl')[0]!
    await fetch(`${again.environment.EBAY_API_URL}/itm/${item.itemId}/buy`, { method: 'POST', redirect: 'manual' })
    expect(again.ebay.pushed).toEqual([{ topicId: 'ORDER_CONFIRMATION', endpoint: kept.destinations[0]!.endpoint }])
  })

  it('names a port that is taken', async () => {
    const other = createServer()
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
    closing.push(() => other.close())
    const { port } = other.address() as AddressInfo
    await expect(start({ basePort: port })).rejects.toThrow(`Port ${port}`)
  })
})

describe('the configured platforms', () => {
  it('leave out a platform without credentials', () => {
    expect([...createPlatforms({ config: readConfig({}), fetch }).keys()]).not.toContain('ebay')
    expect([...createPlatforms({ config: readConfig({ EBAY_CLIENT_ID: 'half' }), fetch }).keys()]).not.toContain('ebay')
  })
})
