import { connect, type Socket } from 'node:net'

export interface Load {
  port: number
  /** Concurrent requests, each on its own connection. */
  connections: number
  seconds: number
  /** Returns the next request as raw text. */
  next(): string
}

export interface LoadResult {
  perSecond: number
  p50Ms: number
  p99Ms: number
  statuses: Record<number, number>
}

/**
 * Sends requests over keep-alive connections, one at a time on each, for some seconds. It uses bare sockets, because an
 * HTTP client would cost as much as the measured server.
 */
export async function runLoad({ port, connections, seconds, next }: Load): Promise<LoadResult> {
  const times: number[] = []
  const statuses: Record<number, number> = {}
  const endMs = performance.now() + seconds * 1000
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = await open(port)
      const read = reader(socket)
      while (performance.now() < endMs) {
        const startedMs = performance.now()
        socket.write(next())
        const status = await read()
        times.push(performance.now() - startedMs)
        statuses[status] = (statuses[status] ?? 0) + 1
      }
      socket.destroy()
    }),
  )
  times.sort((one, other) => one - other)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return { perSecond: times.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99), statuses }
}

/** Sends one request and returns its status. */
export async function runOnce(port: number, request: string): Promise<number> {
  const socket = await open(port)
  const read = reader(socket)
  socket.write(request)
  const status = await read()
  socket.destroy()
  return status
}

/** Sends requests at a steady pace, without waiting for answers. */
export async function runPaced(load: Omit<Load, 'connections'> & { perSecond: number }): Promise<LoadResult> {
  const times: number[] = []
  const statuses: Record<number, number> = {}
  const idle: Socket[] = []
  const pending: Promise<void>[] = []
  const startMs = performance.now()
  const total = Math.floor(load.perSecond * load.seconds)
  for (let index = 0; index < total; index++) {
    const dueMs = startMs + (index * 1000) / load.perSecond
    const waitMs = dueMs - performance.now()
    if (waitMs > 1) await new Promise((resolve) => setTimeout(resolve, waitMs))
    pending.push(
      (async () => {
        const socket = takeIdle(idle) ?? (await open(load.port))
        const read = reader(socket)
        const sentMs = performance.now()
        socket.write(load.next())
        const status = await read()
        times.push(performance.now() - sentMs)
        statuses[status] = (statuses[status] ?? 0) + 1
        idle.push(socket)
      })(),
    )
  }
  await Promise.all(pending)
  for (const socket of idle) socket.destroy()
  times.sort((one, other) => one - other)
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0
  return { perSecond: times.length / load.seconds, p50Ms: at(0.5), p99Ms: at(0.99), statuses }
}

/** Returns an idle connection that the server has not closed. */
function takeIdle(idle: Socket[]): Socket | undefined {
  let socket = idle.pop()
  while (socket && !socket.readable) socket = idle.pop()
  return socket
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket))
    socket.once('error', reject)
  })
}

/** Creates a reader of a connection's answers, which must have a Content-Length. Each call returns a status. */
function reader(socket: Socket): () => Promise<number> {
  let buffered = ''
  let waiting: { resolve(status: number): void; reject(error: Error): void } | null = null
  socket.removeAllListeners('data')
  socket.removeAllListeners('close')
  socket.on('close', () => waiting?.reject(new Error('the server closed a connection that waits for an answer')))
  socket.on('data', (chunk) => {
    buffered += chunk.toString('latin1')
    const head = buffered.indexOf('\r\n\r\n')
    if (head === -1) return
    const length = Number(/content-length: (\d+)/i.exec(buffered.slice(0, head))?.[1] ?? 0)
    if (buffered.length < head + 4 + length) return
    const status = Number(buffered.slice(9, 12))
    buffered = buffered.slice(head + 4 + length)
    waiting?.resolve(status)
    waiting = null
  })
  return () =>
    new Promise((resolve, reject) => {
      waiting = { resolve, reject }
    })
}

/** Returns a request as raw text. */
export function requestText(method: string, path: string, headers: Record<string, string>, body?: object): string {
  const text = body === undefined ? '' : JSON.stringify(body)
  const lines = Object.entries({
    host: '127.0.0.1',
    accept: 'application/json',
    ...headers,
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
  }).map(([name, value]) => `${name}: ${value}`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${text}`
}
