import type { IncomingMessage } from 'node:http'
import type Router from '@koa/router'
import type Koa from 'koa'
import inject from 'light-my-request'
import { jsonReader } from '#server/http/bodies/read-json.ts'
import { peerOf } from '#server/http/client-address.ts'
import {
  type CredentialStore,
  identify,
  type KeyPrincipal,
  readCredential,
  type UncountedKeys,
} from '#server/http/credentials/authenticate.ts'
import type { RateLimits } from '#server/http/limits/rate-limit.ts'
import { signalOfLeaving } from '#server/http/mount.ts'
import { problem } from '#server/infra/errors.ts'
import type { Services } from '#server/services.ts'
import { createHapax } from '#shared/client/client.ts'
import type { RouteDeclaration } from '#shared/contract/declaring/route.ts'

interface McpOptions {
  credentials: CredentialStore & UncountedKeys
  limits: RateLimits
  /** The whole application. Tools call it as clients do, so they meet the same checks, limits and records. */
  app: Koa
}

const readJson = jsonReader('mcp')

/** The declaration of `/mcp` for the limits. */
const route: RouteDeclaration = {
  ...{ summary: 'MCP', tag: 'MCP', method: 'POST', path: '/mcp' },
  auth: 'bearer',
  replies: {},
}

/**
 * Mounts `POST /mcp`: the Model Context Protocol over streamable HTTP, without sessions, for API keys. The requests that a
 * tool makes count against the limits. A message that makes none counts as one itself. Every answer is whole: it ends
 * with the client or after `mcpMs`, and there are no subscriptions.
 */
export function mountMcp(router: Router, services: Services, options: McpOptions): void {
  const { config, limits } = services
  let handle: ReturnType<Koa['callback']> | undefined
  router.post('/mcp', async (ctx) => {
    ctx.set('Cache-Control', 'no-store')
    const key = keyOf(ctx.req)
    const credential = readCredential(key ? { 'x-api-key': key } : {}, key ? ['x-api-key', key] : [])
    const principal = await identifyKey(ctx, credential, options)
    ctx.state.principal = principal
    ctx.state.operationId = 'mcp'
    // Loaded at the first message: with its package it takes a twentieth of the memory of an idle process.
    const { answerMessage, createMcp } = await import('./serve.ts')
    let isCounted = false
    const count = async () => {
      isCounted = true
      const counted = await identify(credential, options.credentials)
      await options.limits.limitPrincipal(ctx, counted, route)
    }
    const ending = new AbortController()
    const late = setTimeout(() => ending.abort(problem('unavailable', 'The answer took too long.')), limits.mcpMs)
    try {
      const message = (await readJson(ctx)).value
      // A tool counts by its requests, before each of them.
      if (!callsTool(message)) await count()
      handle ??= options.app.callback()
      const signal = AbortSignal.any([ending.signal, signalOfLeaving(ctx)])
      const hapax = createHapax({
        baseUrl: config.PUBLIC_URL,
        apiKey: key,
        tries: 1,
        fetch: inProcess(handle, ctx, signal),
      })
      const request = new Request(`${config.PUBLIC_URL}/mcp`, { method: 'POST', headers: headersFor(ctx), signal })
      const response = await answerMessage(() => createMcp(services, principal, hapax), request, message)
      ctx.status = response.status
      ctx.type = response.type
      ctx.body = response.body
    } finally {
      clearTimeout(late)
      ending.abort()
      if (!isCounted && !ctx.state.countedInside) await count()
    }
  })
}

/** Returns whether a message, or one of a batch, calls a tool. */
function callsTool(message: unknown): boolean {
  const messages: unknown[] = Array.isArray(message) ? message : [message]
  return messages.some((one) => typeof one === 'object' && one !== null && Reflect.get(one, 'method') === 'tools/call')
}

function headersFor(ctx: Koa.Context): Headers {
  const headers = new Headers({ 'content-type': ctx.get('content-type'), accept: ctx.get('accept') })
  for (const [name, value] of Object.entries(ctx.headers)) {
    if (name.startsWith('mcp-') && typeof value === 'string') headers.set(name, value)
  }
  return headers
}

/** Returns the API key. Many MCP clients can only send it as a bearer token. */
function keyOf({ headers }: IncomingMessage): string {
  const bearer = /^Bearer (hpxk_[!-~]+)$/i.exec(headers.authorization ?? '')?.[1]
  return bearer ?? String(headers['x-api-key'] ?? '')
}

/** Finds the holder of the key, and leaves the request uncounted. */
async function identifyKey(
  ctx: Koa.Context,
  credential: ReturnType<typeof readCredential>,
  { credentials, limits }: McpOptions,
): Promise<KeyPrincipal> {
  await limits.limitAddress(ctx, ctx.state.address, route, credential.kind)
  const uncounted = { findBearer: credentials.findBearer, findApiKey: credentials.findKeyUncounted }
  const principal = await identify(credential, uncounted, () => limits.countUnknown?.(ctx, ctx.state.address))
  if (principal.kind !== 'api_key') throw problem('wrong_credential_kind', 'Send an API key.')
  return principal
}

/** Returns a `fetch` that hands the request to the application without a network, which counts it for the message. */
function inProcess(handle: ReturnType<Koa['callback']>, ctx: Koa.Context, signal: AbortSignal): typeof fetch {
  return async (input, init = {}) => {
    const url = new URL(String(input))
    ctx.state.countedInside = true
    const answer = await inject(withDistinctHeaders(handle), {
      method: (init.method ?? 'GET') as 'GET',
      url: `${url.pathname}${url.search}`,
      headers: { ...Object.fromEntries(new Headers(init.headers)), host: url.host },
      ...(init.body ? { payload: String(init.body) } : {}),
      remoteAddress: peerOf(ctx.state.address),
      signal,
    })
    for (const name of ['ratelimit-policy', 'ratelimit']) {
      const value = answer.headers[name]
      if (value !== undefined) ctx.set(name, String(value))
    }
    const body = answer.statusCode === 204 ? null : new Uint8Array(answer.rawPayload)
    return new Response(body, { status: answer.statusCode, headers: headersOf(answer.headers) })
  }
}

/** The package leaves out `headersDistinct` of Node's requests. Here each header occurs once. */
function withDistinctHeaders(handle: ReturnType<Koa['callback']>): ReturnType<Koa['callback']> {
  return (req, res) => {
    const distinct = Object.entries(req.headers).map(([name, value]) => [name, [String(value)]])
    Object.defineProperty(req, 'headersDistinct', { value: Object.fromEntries(distinct) })
    return handle(req, res)
  }
}

function headersOf(given: object): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(given)) if (value !== undefined) headers.set(name, String(value))
  return headers
}
