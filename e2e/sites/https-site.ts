import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { generate } from 'selfsigned'

export interface SiteReply {
  status?: number
  type?: string
  headers?: Record<string, string | string[]>
  body: string | Buffer
}

/** Every host that a stand-in can serve. Browsers resolve these to one port and no others at all. */
export const siteHosts = [
  'poshmark.com',
  'di2ponv0v5otw.cloudfront.net',
  'www.mercari.com',
  'u-mercari-images.mercdn.net',
  'www.depop.com',
  'webapi.depop.com',
  'media-photos.depop.com',
] as const
export type SiteHost = (typeof siteHosts)[number]

interface Site {
  answer: (url: URL, request: IncomingMessage) => SiteReply | Promise<SiteReply>
  /** Requests without an answer so far. */
  waiting: Set<ServerResponse>
}

/** The running sites. A browser outlives a test's sites, so the port behind a host cannot change with them. */
const running = new Map<string, Site>()
let listening: Promise<number> | undefined

/** Returns the loopback port of all sites, which starts to listen at the first call and ends with the process. */
export function sitesPort(): Promise<number> {
  listening ??= listen()
  return listening
}

async function listen(): Promise<number> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: siteHosts[0] }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: siteHosts.map((value) => ({ type: 2, value })) }],
  })
  const server = createServer({ key, cert }, (request, response) => {
    const url = new URL(request.url ?? '/', `https://${request.headers.host}`)
    const site = running.get(url.hostname)
    if (!site) return void response.destroy()
    site.waiting.add(response)
    response.on('close', () => site.waiting.delete(response))
    Promise.resolve(site.answer(url, request)).then(
      (reply) => send(response, reply),
      (error: unknown) => send(response, { status: 500, type: 'text/plain', body: String(error) }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  return (server.address() as AddressInfo).port
}

/**
 * Starts a web site at some hosts, in place of an earlier one. The returned function closes it and breaks off what it
 * has not answered.
 */
export async function serveSite(hosts: readonly SiteHost[], answer: Site['answer']): Promise<() => Promise<void>> {
  const site: Site = { answer, waiting: new Set() }
  await sitesPort()
  for (const host of hosts) running.set(host, site)
  return async () => {
    for (const host of hosts) if (running.get(host) === site) running.delete(host)
    for (const response of site.waiting) response.destroy()
  }
}

/** Lets `answer` replace what the site at a host answers, until that site closes. */
export function intercept(
  host: SiteHost,
  answer: (url: URL, request: IncomingMessage, own: Site['answer']) => SiteReply | Promise<SiteReply>,
): void {
  const site = running.get(host)!
  const own = site.answer
  site.answer = (url, request) => answer(url, request, own)
}

function send(
  response: ServerResponse,
  { status = 200, type = 'text/html; charset=utf-8', headers = {}, body }: SiteReply,
) {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store', ...headers })
  response.end(body)
}
