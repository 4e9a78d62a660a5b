import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { challengeResponse } from '#server/integrations/ebay/push/push.ts'
import { startEbaySandbox } from '#server/integrations/ebay/testing/ebay-sandbox.ts'

/** A destination that does not acknowledge pushes. Read at https://developer.ebay.com/marketplace-account-deletion. */
const token = 'a-verification-token-of-forty-characters'
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

it.each<[string, number | null]>([
  ['fails', 500],
  ['is refused by a proxy', 403],
  ['never comes', null],
])('marks a destination down whose answer %s', async (_, status) => {
  const running = await startEbaySandbox({
    usual: false,
    sellers: [{ username: 'ann', items: [] }],
    pushPausesMs: [0, 1, 1],
  })
  const { notifications, market } = running.sandbox
  const endpoint = await startEndpoint()
  const target = { endpoint: endpoint.url, verificationToken: token, alertEmail: 'ops@example.com' }
  const ensure = () => running.adapter.notices!.ensure(running.accessOf('ann'), target)
  market.add('ann', { itemId: 'item', quantity: 9 })
  const buy = () => fetch(`${running.url}/itm/item/buy`, { method: 'POST', redirect: 'manual' })
  const destination = () => notifications.destinations[0]!.status
  ends.push(() => running.sandbox.close())

  await ensure()
  endpoint.status = status
  await buy()
  await expect.poll(destination).toBe('MARKED_DOWN')
  expect(endpoint.attempts).toEqual([1, 2, 3])
  expect(new Set(endpoint.ids).size).toBe(1)
  endpoint.status = 204
  const pushes = running.sandbox.pushed.length
  await buy()
  expect(running.sandbox.pushed).toHaveLength(pushes)
  await ensure()
  expect(destination()).toBe('ENABLED')
  await buy()
  await expect.poll(() => endpoint.attempts).toEqual([1, 2, 3, 1])
})

async function startEndpoint() {
  const endpoint = { url: '', status: 204 as number | null, attempts: [] as number[], ids: [] as string[] }
  const server = createServer(async (request, response) => {
    const code = new URL(request.url ?? '', 'http://127.0.0.1').searchParams.get('challenge_code')
    if (code !== null) {
      const answer = JSON.stringify({ challengeResponse: challengeResponse(code, token, endpoint.url) })
      return void response.writeHead(200, { 'content-type': 'application/json' }).end(answer)
    }
    const { notification } = JSON.parse(Buffer.concat(await request.toArray()).toString())
    endpoint.attempts.push(notification.publishAttemptCount)
    endpoint.ids.push(notification.notificationId)
    if (endpoint.status !== null) response.writeHead(endpoint.status).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  endpoint.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/ebay/`
  ends.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return endpoint
}
