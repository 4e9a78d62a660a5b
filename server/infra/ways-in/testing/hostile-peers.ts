import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** A client's side of one connection. */
export interface Talk {
  /** Sent in turn. */
  pieces: readonly (string | Buffer)[]
  /** Pause between two pieces in ms. */
  everyMs?: number
  /** The client takes nothing of the answer, and leaves once all is sent. */
  unread?: boolean
  /** The client leaves once all is sent, before an answer. */
  leaves?: boolean
}

/**
 * Sends bytes over a connection of its own. Returns the start of the answer, once there is one or the server closes the
 * connection, or "left" if the client leaves first.
 */
export async function talk(port: number, { pieces, everyMs = 0, unread = false, leaves = false }: Talk) {
  const socket = connect(port, '127.0.0.1')
  let said = ''
  socket.on('error', () => undefined)
  if (unread) socket.pause()
  else socket.on('data', (chunk) => (said += said.length < 100_000 ? chunk.toString('latin1') : ''))
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  try {
    await Promise.race([once(socket, 'connect'), closed])
    for (const piece of pieces) {
      if (said !== '' || socket.destroyed) break
      if (!socket.write(piece)) await Promise.race([once(socket, 'drain').catch(() => undefined), closed, answered()])
      if (everyMs > 0) await pause(everyMs)
    }
    if (unread || leaves) return 'left'
    await Promise.race([closed, answered()])
    return said === '' ? 'closed' : said
  } finally {
    socket.destroy()
  }

  async function answered() {
    while (!socket.destroyed && !isWhole(said)) await pause(5)
  }
}

/** Returns whether the first answer has come to its end. */
function isWhole(said: string): boolean {
  const end = said.indexOf('\r\n\r\n')
  if (end === -1) return false
  const length = /^content-length: (\d+)/im.exec(said.slice(0, end))?.[1]
  return length === undefined ? said.endsWith('0\r\n\r\n') : said.length >= end + 4 + Number(length)
}

export interface HostileHost {
  url: string
  port: number
  close(): void
}

/** Starts a TCP server on this machine that does the same with each connection: after its first bytes, or before. */
export async function startHostileHost(act: (socket: Socket) => void, atOnce = false): Promise<HostileHost> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
    if (atOnce) act(socket)
    else socket.once('data', () => act(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    close() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}

/** Writes a text until `bytes` are written, then calls back, or until the other side has gone. */
export function flood(socket: Socket, text: string | Buffer, bytes: number, done = () => {}): void {
  let left = bytes
  const more = () => {
    while (left > 0 && !socket.destroyed) {
      left -= text.length
      if (!socket.write(text)) return void socket.once('drain', more)
    }
    if (left <= 0) done()
  }
  more()
}

/** Writes a text now and then until the other side has gone. */
export function drip(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(text), 5)
  socket.once('close', () => clearInterval(timer))
}
