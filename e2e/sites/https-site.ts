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

/** Starts a web site on a free loopback port with a self-signed certificate for `hosts`. */
export async function serveSite(
  hosts: string[],
  answer: (url: URL, request: IncomingMessage) => SiteReply | Promise<SiteReply>,
): Promise<{ port: number; close: () => Promise<void> }> {
  const { private: key, cert } = await generate([{ name: 'commonName', value: hosts[0]! }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'subjectAltName', altNames: hosts.map((value) => ({ type: 2, value })) }],
  })
  const server = createServer({ key, cert }, (request, response) => {
    const url = new URL(request.url ?? '/', `https://${request.headers.host ?? hosts[0]}`)
    Promise.resolve(answer(url, request)).then(
      (reply) => send(response, reply),
      (error: unknown) => send(response, { status: 500, type: 'text/plain', body: String(error) }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve, reject) => {
        server.closeAllConnections()
        server.close((error) => (error ? reject(error) : resolve()))
      }),
  }
}

function send(
  response: ServerResponse,
  { status = 200, type = 'text/html; charset=utf-8', headers = {}, body }: SiteReply,
) {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store', ...headers })
  response.end(body)
}
