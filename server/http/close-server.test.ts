import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, it } from 'vitest'
import { closeServer } from './close-server.ts'

async function listening(listener: RequestListener) {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}

it('answers new connections while balancers drain, then none', async () => {
  const { server, port } = await listening((_request, response) => response.end('answered'))
  const closed = closeServer(server, { drainMs: 1_000, cutMs: 20_000 })
  const answer = await fetch(`http://127.0.0.1:${port}/`)
  expect([await answer.text(), answer.headers.get('connection')]).toEqual(['answered', 'close'])
  await closed
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow()
})

it('answers on a kept connection and asks the client to close', async () => {
  const { server, port } = await listening((_request, response) => response.end('answered'))
  const client = connect(port, '127.0.0.1')
  let received = ''
  client.on('data', (chunk) => (received += chunk))
  const ended = once(client, 'close')
  const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
  client.write(get)
  await once(client, 'data')

  const closed = closeServer(server, { drainMs: 500, cutMs: 20_000 })
  received = ''
  client.write(get)
  await Promise.all([closed, ended])
  expect(received).toMatch(/^HTTP\/1\.1 200.*connection: close.*answered/is)
})

it('waits for requests in flight and cuts off slow ones', async () => {
  const { server, port } = await listening((request, response) => {
    if (request.url === '/slow') setTimeout(() => response.end('answered'), 300)
  })
  const [slow, endless] = ['/slow', '/endless'].map((path) => fetch(`http://127.0.0.1:${port}${path}`))
  const refused = expect(endless).rejects.toThrow()
  await once(server, 'request')
  await new Promise((resolve) => setTimeout(resolve, 100))
  await closeServer(server, { drainMs: 0, cutMs: 1_000 })
  expect(await (await slow!).text()).toBe('answered')
  await refused
})
