import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withTimeouts } from './timeouts.ts'

let server: Server
let port: number
beforeAll(async () => {
  server = createServer(withTimeouts({ headersMs: 500, requestMs: 1_000, checkMs: 50 }), (request, response) => {
    request.resume().on('end', () => response.end('there'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
afterAll(() => server?.close())

/** Sends a beginning, then a piece now and then; what came back when the server hung up. */
function drip(beginning: string, piece: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    let said = ''
    socket.write(beginning)
    const dripping = setInterval(() => socket.write(piece), 40)
    socket.on('data', (chunk) => {
      said += chunk
    })
    // Writing to a connection that the other side has closed.
    socket.on('error', () => undefined)
    socket.on('close', () => {
      clearInterval(dripping)
      resolve(said)
    })
  })
}

describe('requests sent drop by drop', () => {
  it('are cut off with 408 while others are answered', async () => {
    const slow = Promise.all([
      ...Array.from({ length: 20 }, () => drip('POST / HTTP/1.1\r\nHost: a\r\n', 'X-Drop: a\r\n')),
      ...Array.from({ length: 20 }, () => drip('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n', 'a')),
    ])
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('there')
    for (const answer of await slow) expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  })
})
