import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, it } from 'vitest'
import { closeServer } from './close-server.ts'

it('answers what had arrived on an idle connection while the process had no processor', async () => {
  const server = createServer((_request, response) => response.end('answered'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  let received = ''
  client.on('data', (chunk) => (received += chunk))
  const ended = once(client, 'close')
  const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'
  client.write(get)
  await once(client, 'data')

  const closed = closeServer(server, { listenMs: 0, idleMs: 50, cutMs: 20_000 })
  received = ''
  client.write(get)
  const until = performance.now() + 200
  while (performance.now() < until) {}
  await Promise.all([closed, ended])
  expect(received).toMatch(/^HTTP\/1\.1 200.*connection: close.*answered/is)
})

it('answers who is just connecting', async () => {
  const server = createServer((_request, response) => response.end('answered'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  let received = ''
  client.on('data', (chunk) => (received += chunk))
  const closed = closeServer(server, { listenMs: 0, idleMs: 500, cutMs: 20_000 })
  await Promise.all([closed, once(client, 'close')])
  expect(received).toMatch(/^HTTP\/1\.1 200.*connection: close.*answered/is)
})

it('answers who connects after it was told to end, until balancers have noticed', async () => {
  const server = createServer((_request, response) => response.end('answered'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const closed = closeServer(server, { listenMs: 3_000, idleMs: 500, cutMs: 20_000 })
  const answer = await fetch(`http://127.0.0.1:${port}/`)
  expect([await answer.text(), answer.headers.get('connection')]).toEqual(['answered', 'close'])
  await closed
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow()
})
