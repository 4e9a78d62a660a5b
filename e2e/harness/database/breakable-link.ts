import { type AddressInfo, createServer, connect as open, type Socket } from 'node:net'

/** A proxy of the database whose connections can go silent, as after a pulled cable or a firewall timeout. */
export interface BreakableLink {
  /** The database's URL through this proxy. */
  url: string
  /**
   * Silences the open connections in both directions without closing them. Only those whose sent bytes match `sent` are
   * silenced. Returns their number.
   */
  silence(sent?: RegExp): number
  close(): Promise<void>
}

interface Connection {
  sent: string
  isSilent: boolean
}

export async function startBreakableLink(url: string): Promise<BreakableLink> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  const connections = new Set<Connection>()
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const database = open({ port: Number(target.port), host: target.hostname, allowHalfOpen: true })
    const connection: Connection = { sent: '', isSilent: false }
    connections.add(connection)
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => {
        if (connection.isSilent) return
        if (from === client) connection.sent += bytes.toString('latin1')
        to.write(bytes)
      })
      from.on('error', () => {})
      from.on('end', () => !connection.isSilent && to.end())
      from.on('close', () => {
        sockets.delete(from)
        connections.delete(connection)
        if (!connection.isSilent) to.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const link: BreakableLink = {
    url: Object.assign(new URL(url), { port: String((server.address() as AddressInfo).port) }).href,
    silence(sent = /(?:)/) {
      const silenced = [...connections].filter((each) => !each.isSilent && sent.test(each.sent))
      for (const each of silenced) each.isSilent = true
      return silenced.length
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  }
  return link
}
