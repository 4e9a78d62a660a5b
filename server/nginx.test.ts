import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generate } from 'selfsigned'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildAccount } from '#e2e/harness/account.ts'
import { freePorts } from '#e2e/harness/free-ports.ts'
import { startTestServer, type TestServer } from '#e2e/harness/server.ts'
import { until } from '#e2e/harness/until.ts'
import { waysIn } from '#server/infra/ways-in/ways-in.ts'
import type { RouteDeclaration } from '#shared/contract/declaring/route.ts'
import { contract, webhooks } from '#shared/contract/index.ts'

const host = 'hapax.example.com'
const given = readFileSync('ops/nginx.conf', 'utf8')
const routes: RouteDeclaration[] = Object.values({ ...contract, ...webhooks })
const largest = Math.max(waysIn.csv.bytes, waysIn.upload.bytes)
const taken = Number(/client_max_body_size (\d+)m;/.exec(given)?.[1]) * 1_048_576
const isInstalled = spawnSync('nginx', ['-v']).status === 0

describe('ops/nginx.conf', () => {
  it('takes the largest body of the contract, in a form too', () => {
    expect(largest).toBeGreaterThan(1_000_000)
    expect(taken).toBeGreaterThan(largest + 100_000)
  })

  it('holds nothing of the event stream back', () => {
    const streams = routes.filter(({ replyType }) => replyType === 'text/event-stream')
    expect(streams.length).toBeGreaterThan(0)
    for (const { path } of streams) expect(given).toMatch(new RegExp(`location = ${path} \\{[^}]*proxy_buffering off;`))
  })
})

describe('ops/Caddyfile', () => {
  it('bounds no body, so that Hapax refuses what is too large', () => {
    expect(readFileSync('ops/Caddyfile', 'utf8')).not.toContain('max_size')
  })
})

describe.skipIf(!isInstalled)(`nginx before a server${isInstalled ? '' : ' (skipped: nginx is not installed)'}`, () => {
  let folder: string
  let nginx: ChildProcess
  let server: TestServer
  let answers = true
  let ports: { plain: number; tls: number }
  let ca: string
  let key: Record<string, string>

  beforeAll(async () => {
    server = await startTestServer({ works: false, environment: { PUBLIC_URL: `https://${host}`, TRUSTED_HOPS: '1' } })
    key = (await buildAccount(server.services.db)).key
    const first = await freePorts(2)
    ports = { plain: first, tls: first + 1 }
    folder = mkdtempSync(join(tmpdir(), 'hapax-nginx-'))
    const { private: privateKey, cert } = await generate([{ name: 'commonName', value: host }], {
      keyType: 'ec',
      algorithm: 'sha256',
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: host }] }],
    })
    ca = cert
    writeFileSync(join(folder, 'fullchain.pem'), cert)
    writeFileSync(join(folder, 'privkey.pem'), privateKey)
    const site = given
      .replaceAll('/etc/letsencrypt/live/hapax.example.com', folder)
      .replaceAll('127.0.0.1:8080', new URL(server.url).host)
      .replace(/^ *listen \[::\].*\n/gm, '')
      .replace('listen 80;', `listen 127.0.0.1:${ports.plain};`)
      .replace('listen 443 ', `listen 127.0.0.1:${ports.tls} `)
    const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((kind) => `${kind}_temp_path ${join(folder, kind)};`)
      .join('\n')
    // The tests run as root in containers; workers of another user could not read the folder.
    const user = process.getuid?.() === 0 ? 'user root;' : ''
    writeFileSync(
      join(folder, 'nginx.conf'),
      `${user}\nworker_processes 1;\ndaemon off;\nerror_log stderr crit;\npid ${join(folder, 'pid')};\nevents {}\nhttp {\naccess_log off;\n${paths}\n${site}\n}\n`,
    )
    const options = ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')]
    expect(spawnSync('nginx', [...options, '-t'], { encoding: 'utf8' })).toMatchObject({ status: 0 })
    nginx = spawn('nginx', options, { stdio: ['ignore', 'ignore', 'inherit'] })
    await until(() =>
      call('GET', '/healthz').then(
        ({ status }) => status === 200,
        () => false,
      ),
    )
  })
  afterAll(async () => {
    if (nginx?.exitCode === null) {
      const ended = new Promise((resolve) => nginx.once('exit', resolve))
      nginx.kill('SIGTERM')
      await ended
    }
    if (answers) await server?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Sends a request through nginx. `onText` hears the beginning of a body that does not end. */
  function call(
    method: string,
    path: string,
    options: { headers?: Record<string, string>; body?: Uint8Array; onText?: (text: string) => void } = {},
  ): Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; text: string }> {
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          ...{ host: '127.0.0.1', port: ports.tls, servername: host, ca, method, path, agent: false },
          headers: { host, ...options.headers },
        },
        (answer) => {
          let text = ''
          answer.setEncoding('utf8').on('data', (chunk: string) => {
            text += chunk
            options.onText?.(text)
          })
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }))
          answer.on('error', reject)
        },
      )
      sent.on('error', reject)
      sent.end(options.body)
    })
  }

  const upload = (body: Uint8Array) =>
    call('POST', '/api/v1/images/', { headers: { ...key, 'content-type': 'image/jpeg' }, body })

  it('brings a photo of 14 MB to the server', async () => {
    const photo = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#468' } })
      .jpeg()
      .toBuffer()
    const { status, text } = await upload(Buffer.concat([photo, Buffer.alloc(14_000_000 - photo.length)]))
    expect({ status, text }).toEqual({ status: 201, text: expect.stringContaining('"id":"img_') })
  })

  it.each([
    ['the server', largest + 1],
    ['nginx', taken + 1],
  ])('answers like %s, and so that clients can read it, what is too large', async (_who, bytes) => {
    const { status, headers, text } = await upload(Buffer.alloc(bytes))
    expect(status).toBe(413)
    expect(headers['content-type']).toMatch(/^application\/problem\+json/)
    expect(JSON.parse(text)).toMatchObject({
      status: 413,
      code: 'payload_too_large',
      type: `https://${host}/docs/errors#payload_too_large`,
    })
  })

  it('passes events on at once', async () => {
    const begun = Promise.withResolvers<string>()
    void call('GET', '/api/v1/events/stream/', { headers: key, onText: begun.resolve }).catch(() => {})
    expect(await begun.promise).toContain('retry: 3000')
  })

  it('refuses the API in clear', async () => {
    const answer = await fetch(`http://127.0.0.1:${ports.plain}/api/v1/inventory/`, { headers: { ...key } })
    expect(answer.status).toBe(403)
  })

  it('says in the form of the API that no server answers', async () => {
    answers = false
    await server.close()
    const { status, headers, text } = await call('GET', '/api/v1/inventory/', { headers: key })
    expect({ status, code: JSON.parse(text).code, retryAfter: headers['retry-after'] }).toEqual({
      status: 503,
      code: 'unavailable',
      retryAfter: '5',
    })
  })
})
