import { type AddressInfo, createServer, connect as open, type Socket } from 'node:net'

/** A way to the database whose connections can break without a word, as when a cable is pulled or a firewall forgets. */
export interface BreakableLink {
  /** The same database, through here. */
  url: string
  /**
   * From now on nothing passes through the connections that there are, in neither direction, and neither end is told. Only
   * those that were ever asked something like `asked`. Answers how many.
   */
  silence(asked?: RegExp): number
  close(): Promise<void>
}

interface Passing {
  asked: string
  isSilent: boolean
}

export async function startBreakableLink(url: string): Promise<BreakableLink> {
  const target = new URL(url)
  const sockets = new Set<Socket>()
  const connections = new Set<Passing>()
  const server = createServer({ allowHalfOpen: true }, (client) => {
    const database = open({ port: Number(target.port), host: target.hostname, allowHalfOpen: true })
    const passing: Passing = { asked: '', isSilent: false }
    connections.add(passing)
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => {
        if (passing.isSilent) return
        if (from === client) passing.asked += bytes.toString('latin1')
        to.write(bytes)
      })
      from.on('error', () => {})
      from.on('end', () => !passing.isSilent && to.end())
      from.on('close', () => {
        sockets.delete(from)
        connections.delete(passing)
        if (!passing.isSilent) to.destroy()
      })
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const link: BreakableLink = {
    url: Object.assign(new URL(url), { port: String((server.address() as AddressInfo).port) }).href,
    silence(asked = /(?:)/) {
      const silenced = [...connections].filter((each) => !each.isSilent && asked.test(each.asked))
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
