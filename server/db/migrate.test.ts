import { connect, createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '#server/testing/database.ts'
import { workPatience } from './index.ts'
import { migrate } from './migrate.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database?.drop())

it('waits for a database that is slower to answer than work would wait: who starts has nobody to keep waiting', async () => {
  const { hostname, port } = new URL(database.url)
  const sockets = new Set<Socket>()
  let waited = 0
  const slow = createServer((client) => {
    sockets.add(client.on('error', () => {}))
    client.pause()
    setTimeout(() => {
      waited++
      const server = connect(Number(port), hostname)
      sockets.add(server.on('error', () => client.destroy()))
      client.pipe(server).pipe(client)
    }, workPatience.connectionMs + 1_000)
  })
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
  const url = new URL(database.url)
  url.host = `127.0.0.1:${(slow.address() as { port: number }).port}`
  try {
    await migrate(url.href)
    expect(waited).toBe(1)
  } finally {
    for (const socket of sockets) socket.destroy()
    slow.close()
  }
})
