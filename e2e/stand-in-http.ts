import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { StandInServer } from '#extension/testing/stand-in-server.ts'

export interface RunningStandIn {
  server: StandInServer
  url: string
  close(): Promise<void>
}

/** The stand-in of our server on a free port of the loopback, as a browser reaches it. */
export async function startStandIn(): Promise<RunningStandIn> {
  const server = new StandInServer()
  const http = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    const reply = server.handle(request.method ?? 'GET', url, headers, text ? JSON.parse(text) : undefined)
    if (!reply) return request.socket.destroy()
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
