import type { AddressInfo } from 'node:net'
import { createServer, connect as open, type Socket } from 'node:net'

/** A proxy of the database that can cut a connection between a COMMIT and its answer. */
export interface CommitCutter {
  /** The database's URL through this proxy. */
  url: string
  /** Cuts the connections of the next `count` commits once PostgreSQL has answered them. */
  cutNext: (count: number) => void
  /** Number of connections cut so far. */
  cut: number
  close(): Promise<void>
}

/** Starts a proxy of the database at `url`. A cut commit succeeds, but its answer is lost. */
export async function startCommitCutter(url: string): Promise<CommitCutter> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  let left = 0
  const server = createServer((client) => {
    const database = open(Number(target.port), target.hostname)
    let isCommitting = false
    for (const socket of [client, database]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        database.destroy()
      })
    }
    client.on('data', (bytes) => {
      if (left > 0 && /commit/i.test(bytes.toString('latin1'))) isCommitting = true
      database.write(bytes)
    })
    database.on('data', (bytes) => {
      if (!isCommitting) {
        client.write(bytes)
        return
      }
      left--
      cutter.cut++
      client.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cutter: CommitCutter = {
    url: Object.assign(new URL(url), { port: String((server.address() as AddressInfo).port) }).href,
    cutNext: (count) => {
      left = count
    },
    cut: 0,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
  return cutter
}
