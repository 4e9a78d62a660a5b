import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { PlatformError } from '#server/integrations/errors.ts'
import type { NoticeTarget, ShopAccess } from '#server/integrations/port.ts'
import { scopes } from '../oauth.ts'
import { EbayRefusal } from '../rest.ts'
import { type RunningEbaySandbox, startEbaySandbox } from '../testing/ebay-sandbox.ts'
import { challengeResponse } from './push.ts'
import { createNoticePort } from './subscriptions.ts'

const token = 'a-verification-token-of-forty-characters'
let running: RunningEbaySandbox
let target: NoticeTarget
/** Challenges that our endpoint received. */
let challenges = 0
let answersWrongly = false
let close: () => Promise<unknown>
beforeEach(async () => {
  challenges = 0
  answersWrongly = false
  running = await startEbaySandbox({
    usual: false,
    sellers: ['ann', 'ben'].map((username) => ({ username, items: [] })),
  })
  const endpoint = createServer((request, response) => {
    challenges++
    const code = new URL(request.url ?? '', 'http://127.0.0.1').searchParams.get('challenge_code') ?? ''
    const answer = answersWrongly ? 'no' : challengeResponse(code, token, target.endpoint)
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ challengeResponse: answer }))
  })
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve))
  const { port } = endpoint.address() as AddressInfo
  target = {
    endpoint: `http://127.0.0.1:${port}/webhooks/ebay/`,
    verificationToken: token,
    alertEmail: 'ops@example.com',
  }
  close = async () => {
    await running.sandbox.close()
    await new Promise((resolve) => endpoint.close(resolve))
  }
})
afterEach(() => close())
const ensure = (access: ShopAccess) => running.adapter.notices!.ensure(access, target)

describe('sale notices of eBay', () => {
  it('requests the permission when a seller connects', () => {
    const url = running.adapter.oauth.authorizeUrl({ state: 's', redirectUri: 'x', codeChallenge: null })
    expect(new URL(url).searchParams.get('scope')).toContain('commerce.notification.subscription')
  })

  describe('of a keyset without their scope', () => {
    const granted = scopes.filter((scope) => !scope.endsWith('commerce.notification.subscription'))
    beforeEach(async () => {
      await running.sandbox.close()
      running = await startEbaySandbox({ usual: false, scopes: granted, sellers: [{ username: 'ann', items: [] }] })
    })

    it('are left out of the consent', async () => {
      const { oauth } = running.adapter
      expect(await oauth.findMissingScope?.()).toContain('commerce.notification.subscription')
      const url = oauth.authorizeUrl({ state: 's', redirectUri: 'x', codeChallenge: null })
      expect(new URL(url).searchParams.get('scope')).toBe(granted.join(' '))
    })

    it('are no reason to ask the seller again', async () => {
      const { access_token } = running.sandbox.grant('ann', granted)
      const asked = ensure({ ...running.accessOf('ann'), accessToken: access_token })
      await expect(asked).rejects.toThrow(/lacks the scope https:\S+commerce\.notification\.subscription/)
    })
  })

  it('asks for their scope where eBay cannot tell about the keyset', async () => {
    await running.sandbox.close()
    const { oauth } = running.adapter
    expect(await oauth.findMissingScope?.()).toBeNull()
    const url = oauth.authorizeUrl({ state: 's', redirectUri: 'x', codeChallenge: null })
    expect(new URL(url).searchParams.get('scope')).toBe(scopes.join(' '))
  })

  it('creates one destination and a subscription per seller', async () => {
    for (const seller of ['ann', 'ben']) expect(await ensure(running.accessOf(seller))).toBe('subscribed')
    const { alertEmail, destinations, subscriptions } = running.sandbox.notifications
    expect(alertEmail).toBe('ops@example.com')
    expect(destinations).toMatchObject([{ endpoint: target.endpoint, status: 'ENABLED' }])
    expect(subscriptions.map(({ seller, topicId, status }) => [seller, topicId, status])).toEqual([
      [null, 'AUTHORIZATION_REVOCATION', 'ENABLED'],
      ['ann', 'ORDER_CONFIRMATION', 'ENABLED'],
      ['ben', 'ORDER_CONFIRMATION', 'ENABLED'],
    ])
    expect(challenges).toBe(1)
  })

  it('keeps existing objects', async () => {
    const access = running.accessOf('ann')
    await ensure(access)
    const other = await restartedPort()
    await other.ensure(access, target)
    expect(running.sandbox.notifications.destinations).toHaveLength(1)
    expect(running.sandbox.notifications.subscriptions).toHaveLength(2)
  })

  it('subscribes a seller if eBay lists another’s subscription', async () => {
    const posted: string[] = []
    const endpoint = { destinationId: 'd', status: 'ENABLED', deliveryConfig: { endpoint: target.endpoint } }
    const notices = createNoticePort({
      application: { read: async () => 'app' },
      rest: async ({ method, path, accessToken }) => {
        if (method === 'POST') posted.push(`${path} by ${accessToken}`)
        const subscriptions = [
          { subscriptionId: 's', topicId: 'ORDER_CONFIRMATION', status: 'ENABLED', destinationId: 'd' },
        ]
        return (path.includes('destination') ? { destinations: [endpoint] } : { subscriptions }) as never
      },
    })
    expect(await notices.ensure({ ...running.accessOf('ann'), accessToken: 'ann' }, target)).toBe('subscribed')
    expect(posted).toContain('/commerce/notification/v1/subscription by ann')
  })

  it('enables a disabled destination and subscription', async () => {
    const access = running.accessOf('ann')
    await ensure(access)
    running.sandbox.notifications.destinations[0]!.status = 'MARKED_DOWN'
    for (const subscription of running.sandbox.notifications.subscriptions) subscription.status = 'DISABLED'
    await (await restartedPort()).ensure(access, target)
    expect(running.sandbox.notifications.destinations[0]?.status).toBe('ENABLED')
    expect(running.sandbox.notifications.subscriptions.map(({ status }) => status)).toEqual(['ENABLED', 'ENABLED'])
  })

  it('moves subscriptions to the address that the server has now', async () => {
    const access = running.accessOf('ann')
    const now = target.endpoint
    target.endpoint = now.replace('webhooks', 'before')
    await ensure(access)
    const [before] = running.sandbox.notifications.destinations
    target.endpoint = now
    await (await restartedPort()).ensure(access, target)
    const { destinations, subscriptions } = running.sandbox.notifications
    const { destinationId } = destinations.find((one) => one.endpoint === now)!
    expect(destinationId).not.toBe(before!.destinationId)
    expect(subscriptions.map((one) => [one.topicId, one.destinationId, one.status])).toEqual([
      ['AUTHORIZATION_REVOCATION', destinationId, 'ENABLED'],
      ['ORDER_CONFIRMATION', destinationId, 'ENABLED'],
    ])
    const writes = running.sandbox.requests.length
    await (await restartedPort()).ensure(access, target)
    expect(running.sandbox.requests.slice(writes).filter(({ method }) => method === 'PUT')).toMatchObject([
      { url: '/commerce/notification/v1/config' },
    ])
  })

  it('moves and enables a subscription that is disabled', async () => {
    const access = running.accessOf('ann')
    await ensure(access)
    const subscription = running.sandbox.notifications.subscriptions.find(({ seller }) => seller === 'ann')!
    Object.assign(subscription, { status: 'DISABLED', destinationId: 'an-old-one' })
    await ensure(access)
    const [{ destinationId } = { destinationId: '' }] = running.sandbox.notifications.destinations
    expect(subscription).toMatchObject({ status: 'ENABLED', destinationId })
  })

  it('fails if a subscription cannot be moved', async () => {
    const refusal = (errorId: number, status: number) =>
      new EbayRefusal(new PlatformError('ebay', 'refused', `Error ${errorId}`), status, [
        { code: String(errorId), words: '', field: null, parameters: [] },
      ])
    const endpoint = { destinationId: 'd', status: 'ENABLED', deliveryConfig: { endpoint: target.endpoint } }
    const old = { subscriptionId: 's', topicId: 'ORDER_CONFIRMATION', status: 'ENABLED', destinationId: 'old' }
    const notices = createNoticePort({
      application: { read: async () => 'app' },
      rest: async ({ method, path }) => {
        if (method === 'POST') throw refusal(195_012, 409)
        if (method === 'PUT' && path.includes('/subscription/')) throw refusal(195_007, 400)
        return (path.includes('destination') ? { destinations: [endpoint] } : { subscriptions: [old] }) as never
      },
    })
    await expect(notices.ensure(running.accessOf('ann'), target)).rejects.toMatchObject({ message: 'Error 195007' })
  })

  it('pushes an order of several lines in one notice', async () => {
    for (const itemId of ['one', 'two']) running.sandbox.market.add('ann', { itemId, quantity: 9 })
    await ensure(running.accessOf('ann'))
    running.sandbox.pushed.length = 0
    const bought = await fetch(`${running.url}/itm/one/buy`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'also=two',
    })
    expect(bought.status).toBe(303)
    expect(running.sandbox.market.ordersOf('ann')[0]?.lines).toHaveLength(2)
    expect(running.sandbox.pushed).toHaveLength(1)
  })

  it('reports a consent without the permission', async () => {
    const old = scopes.filter((scope) => !scope.includes('notification'))
    const { access_token } = running.sandbox.grant('ann', old)
    expect(await ensure({ ...running.accessOf('ann'), accessToken: access_token })).toBe('consent_needed')
  })

  it('fails if our endpoint answers the challenge wrongly', async () => {
    answersWrongly = true
    await expect(ensure(running.accessOf('ann'))).rejects.toMatchObject({ platformCode: '195020' })
  })

  it('subscribes to sales if eBay refuses the revocation topic', async () => {
    running.sandbox.refusedTopics.add('AUTHORIZATION_REVOCATION')
    expect(await ensure(running.accessOf('ann'))).toBe('subscribed')
    expect(running.sandbox.notifications.subscriptions).toMatchObject([
      { seller: 'ann', topicId: 'ORDER_CONFIRMATION' },
    ])
  })

  it('subscribes to sales if eBay refuses to move the revocation topic', async () => {
    const access = running.accessOf('ann')
    const now = target.endpoint
    target.endpoint = now.replace('webhooks', 'before')
    await ensure(access)
    target.endpoint = now
    running.sandbox.refusedTopics.add('AUTHORIZATION_REVOCATION')
    expect(await (await restartedPort()).ensure(access, target)).toBe('subscribed')
    const { destinations, subscriptions } = running.sandbox.notifications
    const { destinationId } = destinations.find((one) => one.endpoint === now)!
    expect(subscriptions.find(({ topicId }) => topicId === 'ORDER_CONFIRMATION')?.destinationId).toBe(destinationId)
  })

  it('pushes a subscribed seller’s sales if all is enabled', async () => {
    for (const username of ['ann', 'ben'])
      running.sandbox.market.add(username, { itemId: `item-of-${username}`, quantity: 9 })
    const pushesOf = async (username: string) => {
      running.sandbox.pushed.length = 0
      const bought = await fetch(`${running.url}/itm/item-of-${username}/buy`, { method: 'POST', redirect: 'manual' })
      expect(bought.status).toBe(303)
      return running.sandbox.pushed
    }
    const push = { topicId: 'ORDER_CONFIRMATION', endpoint: target.endpoint }
    expect(await pushesOf('ann')).toEqual([])
    await ensure(running.accessOf('ann'))
    expect(await pushesOf('ann')).toEqual([push])
    expect(await pushesOf('ben')).toEqual([])
    const [destination] = running.sandbox.notifications.destinations
    destination!.status = 'MARKED_DOWN'
    expect(await pushesOf('ann')).toEqual([])
    destination!.status = 'ENABLED'
    running.sandbox.notifications.subscriptions.find(({ seller }) => seller === 'ann')!.status = 'DISABLED'
    expect(await pushesOf('ann')).toEqual([])
  })

  /** Creates an adapter without cached state, as after a restart. */
  async function restartedPort() {
    const { createEbayAdapter } = await import('../index.ts')
    const { client } = await import('../testing/ebay-sandbox.ts')
    const { url } = running
    return createEbayAdapter({
      config: {
        EBAY_CLIENT_ID: client.clientId,
        EBAY_CLIENT_SECRET: client.clientSecret,
        EBAY_RU_NAME: client.ruName,
        EBAY_AUTH_URL: url,
        EBAY_API_URL: url,
        EBAY_APIZ_URL: url,
      },
      fetch,
    }).notices!
  }
})
