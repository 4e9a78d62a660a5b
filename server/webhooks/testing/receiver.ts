import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import type { Event } from '#shared/contract/events.ts'

export interface Received {
  id: string
  event: Event
  headers: IncomingHttpHeaders
  body: string
  atMs: number
}

/** A receiver of webhooks on 127.0.0.1. */
export interface Receiver {
  url: string
  received: Received[]
  /** Returns the response; null cuts the connection, 'nothing' keeps it open without an answer. */
  answer: (received: Received) => { status: number; headers?: Record<string, string> } | null | 'nothing'
  close(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const received = {
        id: String(request.headers['webhook-id']),
        event: JSON.parse(body),
        headers: request.headers,
        body,
        atMs: performance.now(),
      }
      receiver.received.push(received)
      const answer = receiver.answer(received)
      if (answer === 'nothing') return
      if (answer) response.writeHead(answer.status, answer.headers).end('thanks')
      else request.socket.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    answer: () => ({ status: 204 }),
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return receiver
}

/** Returns whether one of the signatures is by the secret. */
export function isSignedBy({ headers, body }: Received, secret: string): boolean {
  const at = new Date(Number(headers['webhook-timestamp']) * 1_000)
  const expected = new Webhook(secret).sign(String(headers['webhook-id']), at, body)
  return String(headers['webhook-signature']).split(' ').includes(expected)
}
