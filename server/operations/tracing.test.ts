import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { createSeller } from '#server/catalog/imports/testing/harness.ts'
import { readConfig } from '#server/config.ts'
import { storeConnection } from '#server/integrations/connections/store-connection.ts'
import { ebay } from '#server/integrations/ebay/testing/compliance-subject.ts'
import { observedFetch } from '#server/integrations/quota/index.ts'
import { buildAccount } from '#server/testing/account.ts'
import { apiOf } from '#server/testing/api.ts'
import { createTestDatabase } from '#server/testing/database.ts'
import { startTestServer } from '#server/testing/server.ts'
import { startServerProcess } from '#server/testing/server-process.ts'
import { until } from '#server/testing/until.ts'
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

const trace = { id: '4bf92f3577b34da6a3ce929d0e0e4736', parent: '00f067aa0ba902b7' }

it('gives a request, the job that it queued and the calls of a marketplace one trace', async () => {
  const run = await ebay.start({ fetch: observedFetch(readConfig({}), fetch), timeoutMs: 30_000 })
  onTestFinished(() => run.close())
  const server = await startTestServer({ platforms: [run.adapter] })
  onTestFinished(() => server.close())
  const account = await buildAccount(server.services.db)
  const url = run.adapter.oauth.authorizeUrl({ state: 's', redirectUri: run.redirectUri, codeChallenge: null })
  const code = new URL(await run.consent(url, run.sellers.small, 'agree')).searchParams.get('code') ?? ''
  const grant = await run.adapter.oauth.exchangeCode({ code, redirectUri: run.redirectUri, codeVerifier: null })
  const shop = await run.adapter.oauth.identify(grant.access_token)
  const { seller_account_uid } = await storeConnection(server.services, {
    ...{ user_id: account.user_id, platform: 'ebay', shop, grant },
  })
  const seller = createSeller(server, account, { uid: seller_account_uid, platform: 'ebay' })

  onTestFinished(logEvents(server.services.log))
  const collector = await startCollector()
  const tracing = startTracing({ endpoint: collector.url, role: 'all', log: pino({ level: 'silent' }) })
  const { status, body } = await seller.call(
    ...(['POST', '/api/v1/marketplace/import/jobs/create/'] as const),
    { seller_account_uid, marketplace: 'ebay' },
    { traceparent: `00-${trace.id}-${trace.parent}-01` },
  )
  expect(status).toBe(201)
  await seller.settled(body.id)
  await tracing.stop()

  const ours = collector.spans.filter(({ traceId }) => traceId === trace.id)
  const [request] = ours.filter(({ kind }) => kind === 2)
  expect(request).toMatchObject({ name: 'createImportJob', parentSpanId: trace.parent })
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
  expect(server.logged.filter((line) => line.includes(`"trace_id":"${trace.id}"`)).join('\n')).toContain(
    'import completed',
  )
})

it('begins a trace where the traceparent is none, and leaves out one that is not recorded', async () => {
  const server = await startTestServer({ works: false })
  onTestFinished(() => server.close())
  const collector = await startCollector()
  const tracing = startTracing({ endpoint: collector.url, role: 'all', log: pino({ level: 'silent' }) })
  const call = (traceparent: string) => apiOf(server.url)('GET', '/api/v1/inventory/', { headers: { traceparent } })
  await call(`00-${trace.id}-${trace.parent}-00`)
  await call(`00-${'0'.repeat(32)}-${trace.parent}-01`)
  await call('anything')
  await tracing.stop()
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
