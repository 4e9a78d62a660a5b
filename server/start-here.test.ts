import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { createFakeAdapter } from '#e2e/harness/fake-adapter.ts'
import { startTestServer } from '#e2e/harness/server.ts'
import { until } from '#e2e/harness/until.ts'
import { readConfig } from '#server/config.ts'
import { startEventWorker } from '#server/webhooks/worker.ts'

it('leads from an account to the first webhook as docs/api/start.md says', async () => {
  const received: string[] = []
  const hook = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      received.push(JSON.parse(body).type)
      response.writeHead(204).end()
    })
  }).listen(0, '127.0.0.1')
  const server = await startTestServer({ environment: { SANDBOX: 'on' }, platforms: [createFakeAdapter('ebay')] })
  const worker = startEventWorker(server.services, { pollMs: 20, post: { sandbox: true } })
  try {
    const page = readFileSync('docs/api/start.md', 'utf8')
    expect(page).toContain(`HAPAX=\${HAPAX:-${readConfig({ SANDBOX: 'on' }).PUBLIC_URL}}`)
    const script = [...page.matchAll(/```sh\n(.*?)```/gs)].map(([, code]) => code).join('\n')
    const { port } = hook.address() as AddressInfo
    const env = { ...process.env, HAPAX: server.url, HOOK: `http://127.0.0.1:${port}/hook` }
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { env })
    expect(stdout).toContain('"state":"sold"')
    expect(stdout).toContain(`${server.url}/accounts/ebay/login/?ticket=`)
    await until(() => received.includes('item.created') && received.includes('sale.recorded'))
  } finally {
    await worker.stop(1_000)
    await server.close()
    hook.close()
  }
})
