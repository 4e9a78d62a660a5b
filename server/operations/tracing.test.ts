import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { apiOf } from '#e2e/harness/api.ts'
import { createTestDatabase } from '#e2e/harness/database/database.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { startServerProcess } from '#e2e/harness/server-process.ts'
import { until } from '#e2e/harness/until.ts'
import { createSeller } from '#server/catalog/imports/testing/harness.ts'
import { readConfig } from '#server/config.ts'
import { observe } from '#server/infra/observed.ts'
import { storeConnection } from '#server/integrations/connections/store-connection.ts'
import { ebay } from '#server/integrations/ebay/testing/compliance-subject.ts'
import { observedFetch } from '#server/integrations/quota/index.ts'
import { startListingWorker } from '#server/selling/listings/worker.ts'
import { ebayOrderPush, signEbay, startEbayKeys } from '#server/selling/orders/testing/ebay-keys.ts'
import { buildOrder } from '#server/selling/orders/testing/fake-orders.ts'
import { listingOf, startOrderHarness } from '#server/selling/orders/testing/harness.ts'
import { startOrderWorker } from '#server/selling/orders/worker.ts'
import { startReceiver } from '#server/webhooks/testing/receiver.ts'
import { startEventWorker } from '#server/webhooks/worker.ts'
import { logEvents } from './log-events.ts'
import { startTracing } from './tracing.ts'

interface OtlpSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[]
  status: { code?: number }
}

/** Starts a stand-in of an OpenTelemetry collector, which takes OTLP in JSON. */
async function startCollector() {
  const spans: OtlpSpan[] = []
  const keys: unknown[] = []
  const server = createServer(async (request, response) => {
    keys.push(request.headers.authorization)
    let text = ''
    for await (const chunk of request) text += chunk
    expect([request.method, request.url, request.headers['content-type']]).toEqual([
      'POST',
      '/v1/traces',
      'application/json',
    ])
    for (const { scopeSpans, resource } of JSON.parse(text).resourceSpans) {
      expect(resource.attributes).toContainEqual({ key: 'service.name', value: { stringValue: 'hapax' } })
      for (const scope of scopeSpans) spans.push(...scope.spans)
    }
    response.setHeader('content-type', 'application/json').end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    keys,
  }
}

const attributesOf = ({ attributes }: OtlpSpan) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? value.intValue]))

/** A seller on a running server, connected to the sandbox's eBay. */
async function connectSeller() {
  const run = await ebay.start({ fetch: observedFetch(readConfig({}), fetch), timeoutMs: 30_000 })
  onTestFinished(() => run.close())
  const server = await startTestServer({ platforms: [run.adapter], environment: { SANDBOX: 'on' } })
  onTestFinished(() => server.close())
  const account = await buildAccount(server.services.db)
  const url = run.adapter.oauth.authorizeUrl({ state: 's', redirectUri: run.redirectUri, codeChallenge: null })
  const code = new URL(await run.consent(url, run.sellers.small, 'agree')).searchParams.get('code') ?? ''
  const grant = await run.adapter.oauth.exchangeCode({ code, redirectUri: run.redirectUri, codeVerifier: null })
  const shop = await run.adapter.oauth.identify(grant.access_token)
  const { seller_account_uid } = await storeConnection(server.services, {
    ...{ user_id: account.user_id, platform: 'ebay', shop, grant },
  })
  return { server, grant, seller: createSeller(server, account, { uid: seller_account_uid, platform: 'ebay' }) }
}

/** Sends the spans of this process to a new collector. */
async function trace(server: TestServer) {
  onTestFinished(logEvents(server.services.log))
  const collector = await startCollector()
  const tracing = startTracing({ endpoint: collector.url, role: 'all', log: pino({ level: 'silent' }) })
  onTestFinished(() => tracing.stop())
  const ended: string[] = []
  // Services that other tests of this process left have spans of these names, too.
  onTestFinished(observe('span', ({ name, context }) => void (context.traceId === incoming.id && ended.push(name))))
  return {
    ...collector,
    /** Waits until as many spans of these names ended in the incoming trace: their results are seen earlier. Then sends all. */
    async stop(...names: string[]) {
      const times = (among: string[], name: string) => among.filter((one) => one === name).length
      await until(() => names.every((name) => times(ended, name) >= times(names, name)))
      await tracing.stop()
    },
  }
}

const incoming = { id: '4bf92f3577b34da6a3ce929d0e0e4736', parent: '00f067aa0ba902b7' }
const traceparent = `00-${incoming.id}-${incoming.parent}-01`

it('gives a request, the job that it queued and the calls of a marketplace one trace', async () => {
  const { server, grant, seller } = await connectSeller()
  const collector = await trace(server)
  const { status, body } = await seller.call(
    ...(['POST', '/api/v1/marketplace/import/jobs/create/'] as const),
    { seller_account_uid: seller.shop, marketplace: 'ebay' },
    { traceparent },
  )
  expect(status).toBe(201)
  await seller.settled(body.id)
  await collector.stop('import-run')

  const ours = collector.spans.filter(({ traceId }) => traceId === incoming.id)
  const [request] = ours.filter(({ kind }) => kind === 2)
  expect(request).toMatchObject({ name: 'createImportJob', parentSpanId: incoming.parent })
  expect(attributesOf(request!)).toMatchObject({ 'http.request.method': 'POST', 'http.response.status_code': 201 })
  const [job] = ours.filter(({ kind }) => kind === 5)
  expect(job).toMatchObject({ name: 'import-run', parentSpanId: request!.spanId })
  const calls = ours.filter(({ kind }) => kind === 3)
  expect(calls.length).toBeGreaterThan(0)
  expect(calls).toContainEqual(expect.objectContaining({ name: 'ebay GetSellerList', parentSpanId: job!.spanId }))
  expect(attributesOf(calls[0]!)).toEqual({ 'hapax.platform': 'ebay', 'http.response.status_code': 200 })
  for (const { startTimeUnixNano, endTimeUnixNano } of ours) {
    expect(BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano)).toBe(true)
  }
  expect(JSON.stringify(collector.spans)).not.toContain(grant.access_token)
  // Lines of the request and of the job can be found by the trace, too.
  expect(server.logged.filter((line) => line.includes(`"trace_id":"${incoming.id}"`)).join('\n')).toContain(
    'import completed',
  )
})

it('gives a sale, its take-down and the webhooks about them one trace', async () => {
  const { server, seller } = await connectSeller()
  await seller.import()
  const [item] = await seller.inventory('&state=available')
  const receiver = await startReceiver()
  onTestFinished(() => receiver.close())
  await seller.call('POST', '/api/v1/webhooks/', { url: receiver.url })
  const deliveries = startEventWorker(server.services, { pollMs: 20 })
  onTestFinished(() => deliveries.stop())
  const collector = await trace(server)
  const sold = await seller.call('POST', `/api/v1/inventory/${item.uid}/mark-sold/`, {}, { traceparent })
  expect(sold.status).toBe(200)
  const types = () => receiver.received.map(({ event }) => event.type)
  await until(() => types().includes('item.state_changed') && types().includes('listing.delisted'))
  await deliveries.stop()
  await collector.stop('listing-operations down')

  const ours = collector.spans.filter(({ traceId }) => traceId === incoming.id)
  const [request] = ours.filter(({ name }) => name === 'markItemSold')
  const [takeDown] = ours.filter(({ name }) => name === 'listing-operations down')
  expect(takeDown).toMatchObject({ kind: 5, parentSpanId: request!.spanId })
  expect(ours).toContainEqual(
    expect.objectContaining({ name: 'ebay EndFixedPriceItem', parentSpanId: takeDown!.spanId }),
  )
  const causes = ours.filter(({ name }) => name === 'webhook-deliveries').map(({ parentSpanId }) => parentSpanId)
  expect(new Set(causes)).toEqual(new Set([request!.spanId, takeDown!.spanId]))
})

it('gives a bulk job and the operations of its items one trace', async () => {
  const { server, seller } = await connectSeller()
  await seller.import()
  const [one, other] = await seller.inventory('&state=available')
  const collector = await trace(server)
  const asked = { uids: [one.uid, other.uid], platforms: ['ebay'] }
  const { body } = await seller.call('POST', '/api/v1/inventory/bulk/delist/', asked, { traceparent })
  const readJob = async () => (await seller.call('GET', `/api/v1/inventory/bulk/${body.uid}/`)).body
  await seller.until(readJob, ({ status }) => status === 'completed')
  await collector.stop('bulk-jobs', 'listing-operations down', 'listing-operations down')

  const ours = collector.spans.filter(({ traceId }) => traceId === incoming.id)
  const [request] = ours.filter(({ name }) => name === 'bulkDelist')
  const [step] = ours.filter(({ name }) => name === 'bulk-jobs')
  expect(step!.parentSpanId).toBe(request!.spanId)
  const takeDowns = ours.filter(({ name }) => name === 'listing-operations down')
  expect(takeDowns.map(({ parentSpanId }) => parentSpanId)).toEqual([step!.spanId, step!.spanId])
  expect(ours.filter(({ name }) => name === 'ebay EndFixedPriceItem')).toHaveLength(2)
})

it('gives an order that a marketplace pushes and its take-downs one trace', async () => {
  const keys = await startEbayKeys()
  onTestFinished(() => keys.close())
  const client = { EBAY_CLIENT_ID: 'client', EBAY_CLIENT_SECRET: 'client-secret', EBAY_API_URL: keys.url }
  const harness = await startOrderHarness({ environment: client })
  onTestFinished(() => harness.close())
  const seller = await harness.seller()
  const { item_uid } = await seller.item()
  const shop = seller.external.ebay!
  harness.ebay.put(shop, buildOrder({ id: '25-1', line: { listing_id: listingOf('ebay', item_uid) } }))
  const collector = await trace(harness.server)
  const push = ebayOrderPush({ userId: shop, orderId: '25-1' })
  const headers = { 'content-type': 'application/json', 'x-ebay-signature': signEbay(push, keys.issue()), traceparent }
  const { status } = await fetch(`${harness.server.url}/webhooks/ebay/`, { method: 'POST', body: push, headers })
  expect(status).toBe(204)
  const workers = [
    startOrderWorker(harness.services, { pollMs: 20 }),
    startListingWorker(harness.services, { pollMs: 20 }),
  ]
  await collector.stop('order-fetches', 'listing-operations down')
  await Promise.all(workers.map((worker) => worker.stop()))

  const ours = collector.spans.filter(({ traceId }) => traceId === incoming.id)
  const [request] = ours.filter(({ name }) => name === 'receiveEbayPush')
  const [reading] = ours.filter(({ name }) => name === 'order-fetches')
  expect(reading!.parentSpanId).toBe(request!.spanId)
  const takeDowns = ours.filter(({ name }) => name === 'listing-operations down')
  expect(takeDowns[0]).toMatchObject({ parentSpanId: reading!.spanId })
})

it('keeps no traceparent while no traces are sent', async () => {
  const { server, seller } = await connectSeller()
  await seller.import()
  const [item] = await seller.inventory('&state=available')
  await seller.call('POST', `/api/v1/inventory/${item.uid}/mark-sold/`, {}, { traceparent })
  const { db } = server.services
  expect(
    await db.any('select distinct traceparent from listing_operation union select traceparent from event'),
  ).toEqual([{ traceparent: null }])
})

it('begins a trace where the traceparent is none, and leaves out one that is not recorded', async () => {
  const server = await startTestServer({ works: false })
  onTestFinished(() => server.close())
  const collector = await trace(server)
  const call = (traceparent: string) => apiOf(server.url)('GET', '/api/v1/inventory/', { headers: { traceparent } })
  await call(`00-${incoming.id}-${incoming.parent}-00`)
  await call(`00-${'0'.repeat(32)}-${incoming.parent}-01`)
  await call('anything')
  await collector.stop()
  expect(collector.spans.map(({ name, parentSpanId }) => ({ name, parentSpanId: parentSpanId ?? '' }))).toEqual([
    { name: 'listInventory', parentSpanId: '' },
    { name: 'listInventory', parentSpanId: '' },
  ])
  expect(new Set(collector.spans.map(({ traceId }) => traceId)).size).toBe(2)
})

it('neither loads nor sends anything without OTEL_EXPORTER_OTLP_ENDPOINT', async () => {
  const database = await createTestDatabase({ checked: false })
  onTestFinished(() => database.drop())
  const hook = `import { registerHooks } from 'node:module'
    registerHooks({ resolve(name, context, next) {
      if (/^@opentelemetry.(sdk|exporter|resources)/.test(name)) throw new Error('loads ' + name)
      return next(name, context)
    } })`
  const environment = {
    ...{ ROLE: 'api', DATABASE_URL: database.url },
    NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(hook)}`,
  }
  const server = await startServerProcess(environment)
  onTestFinished(async () => void (await server.end()))
  expect((await fetch(`${server.url}/api/v1/inventory/`)).status).toBe(401)
  await expect(
    startServerProcess({ ...environment, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' }),
  ).rejects.toThrow('ended with 1')
})

it('sends the spans of a server process with it', async () => {
  const database = await createTestDatabase({ checked: false })
  onTestFinished(() => database.drop())
  const collector = await startCollector()
  const server = await startServerProcess({
    ...{ ROLE: 'api', DATABASE_URL: database.url },
    OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`,
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector',
  })
  expect((await fetch(`${server.url}/api/v1/inventory/?q=hidden`)).status).toBe(401)
  await server.end()
  await until(() => collector.spans.some(({ name }) => name === 'listInventory'))
  expect(JSON.stringify(collector.spans)).not.toContain('hidden')
  expect(collector.keys).toContain('Bearer collector')
})
