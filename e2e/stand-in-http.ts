import type { ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { StandInServer } from '#extension/testing/stand-in-server.ts'
import { streamEvents } from '#shared/contract/events.ts'

export interface RunningStandIn {
  server: StandInServer
  url: string
  close(): Promise<void>
}

/** Starts our server's stand-in on a free loopback port. */
export async function startStandIn(): Promise<RunningStandIn> {
  const server = new StandInServer()
  const http = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (url.pathname === streamEvents.path) return stream(server, url, headers, response)
    await server.released(url.pathname)
    const reply = server.handle(request.method ?? 'GET', url, headers, text ? JSON.parse(text) : undefined)
    if (reply === 'network') return request.socket.destroy()
    if (reply === 'hang') return
    if (reply === 'stall') {
      response.writeHead(200, { 'content-type': 'application/json' })
      return void response.write(' ')
    }
    response.writeHead(reply.status, { 'content-type': 'application/json', ...reply.headers })
    response.end(reply.body === null ? '' : JSON.stringify(reply.body))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  return {
    server,
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        http.closeAllConnections()
        http.close(() => resolve())
      }),
  }
}

/** Streams events until the client leaves. */
async function stream(server: StandInServer, url: URL, headers: Record<string, string>, response: ServerResponse) {
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  const answer = await server.fetch(url.href, { headers, signal: gone.signal }).catch(() => null)
  if (!answer) return response.destroy()
  response.writeHead(answer.status, { 'content-type': 'text/event-stream' })
  if (!answer.body) return response.end()
  await pipeline(Readable.fromWeb(answer.body as never), response).catch(() => response.destroy())
}
