import type { AddressInfo } from 'node:net'
import { createServer, connect as open, type Socket } from 'node:net'

/** A way to the database that can be cut between a COMMIT and its answer. */
export interface CommitCutter {
  /** The same database, through here. */
  url: string
  /** Cuts the connection of so many of the next commits, once PostgreSQL has answered them. */
  cutNext: (count: number) => void
  /** How many were cut. */
  cut: number
  close(): Promise<void>
}

/** Passes everything on to the database of `url`, until a commit is to be cut: it is done, and nobody is told. */
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
