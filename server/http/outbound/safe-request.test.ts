import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { until } from '#e2e/harness/until.ts'
import { type SafeRequest, type SafeRequestError, safeRequest } from './safe-request.ts'

interface HostileHost {
  port: number
  /** Sockets that the host holds open. */
  open: Set<Socket>
  connections: number
}

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** Starts a host that acts on each connection and never closes one by itself. */
async function startHost(act: (socket: Socket, request: string) => void, on: 'request' | 'connect' = 'request') {
  const host: HostileHost = { port: 0, open: new Set(), connections: 0 }
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    host.connections++
    host.open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => host.open.delete(socket))
    // The client is gone once it neither reads nor writes.
    socket.on('end', () => socket.destroy())
    if (on === 'connect') act(socket, '')
    else socket.once('data', (data) => act(socket, data.toString('latin1')))
    socket.resume()
  })
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  host.port = (server.address() as AddressInfo).port
  return host
}

/** Writes repeatedly while the socket is open; as fast as it is read, or at an interval. */
function repeat(socket: Socket, text: string, everyMs?: number): void {
  if (everyMs !== undefined) {
    const timer = setInterval(() => socket.write(text), everyMs)
    socket.on('close', () => clearInterval(timer))
    return
  }
  const block = text.repeat(Math.ceil(16_384 / text.length))
  const fill = () => {
    while (!socket.destroyed && socket.write(block)) {}
  }
  socket.on('drain', fill)
  fill()
}

const defaults: SafeRequest = { isTrusted: true, way: 'fetchedPicture', timeoutMs: 60_000, maxBytes: 50_000 }
const ask = (host: HostileHost, more: Partial<SafeRequest> = {}, signal?: AbortSignal, scheme = 'http') =>
  safeRequest(new URL(`${scheme}://127.0.0.1:${host.port}/1.png?x=1`), { ...defaults, ...more }, signal)

/** Treats loopback as an untrusted public address. */
const asStranger: Partial<SafeRequest> = { isTrusted: false, isPublic: () => true }

const head = 'HTTP/1.1 200 OK\r\n'
const gzipBomb = gzipSync(Buffer.alloc(20_000_000))

/** Hosts that never end: only the timeout or abort ends the wait. */
const endless: Record<string, [act: (socket: Socket) => void, on?: 'request' | 'connect']> = {
  'accepts and says nothing': [() => {}, 'connect'],
  'reads the request and says nothing': [() => {}],
  'sends a byte of a header each 5 ms': [
    (socket) => {
      socket.write(`${head}x: `)
      repeat(socket, 'a', 5)
    },
  ],
  'sends a byte of the body each 5 ms': [
    (socket) => {
      socket.write(`${head}content-length: 40000\r\n\r\n`)
      repeat(socket, 'a', 5)
    },
  ],
  'sends a chunk of one byte each 5 ms': [
    (socket) => {
      socket.write(`${head}transfer-encoding: chunked\r\n\r\n`)
      repeat(socket, '1\r\na\r\n', 5)
    },
  ],
  'sends early hints each 5 ms': [(socket) => repeat(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n', 5)],
  'sends 102 each 5 ms': [(socket) => repeat(socket, 'HTTP/1.1 102 Processing\r\n\r\n', 5)],
  'ends the headers and sends no body': [(socket) => void socket.write(`${head}content-length: 10\r\n\r\n`)],
  'sends a trailer that does not end': [
    (socket) => void socket.write(`${head}transfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\nx: `),
  ],
}

/** Hosts whose response is refused at once, long before the timeout. */
const refused: Record<string, [fault: SafeRequestError['fault'], act: (socket: Socket) => void]> = {
  'switches protocols': [
    'connection_failed',
    (socket) => void socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
  ],
  'switches protocols unasked and goes on writing': [
    'connection_failed',
    (socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n')
      repeat(socket, 'x')
    },
  ],
  'answers 100 Continue': ['connection_failed', (socket) => repeat(socket, 'HTTP/1.1 100 Continue\r\n\r\n')],
  'floods with 102': ['too_large', (socket) => repeat(socket, 'HTTP/1.1 102 Processing\r\n\r\n')],
  'floods with early hints': ['too_large', (socket) => repeat(socket, 'HTTP/1.1 103 Early Hints\r\n\r\n')],
  'sends endless headers': [
    'connection_failed',
    (socket) => {
      socket.write(head)
      repeat(socket, 'x: aaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n')
    },
  ],
  'sends endless chunks': [
    'too_large',
    (socket) => {
      socket.write(`${head}transfer-encoding: chunked\r\n\r\n`)
      repeat(socket, '4\r\nabcd\r\n')
    },
  ],
  'sends an endless chunk extension': [
    'too_large',
    (socket) => {
      socket.write(`${head}transfer-encoding: chunked\r\n\r\n1;`)
      repeat(socket, 'a')
    },
  ],
  'sends endless trailers': [
    'connection_failed',
    (socket) => {
      socket.write(`${head}transfer-encoding: chunked\r\n\r\n1\r\na\r\n0\r\n`)
      repeat(socket, 'x: aaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n')
    },
  ],
  'sends a body larger than allowed': [
    'too_large',
    (socket) => {
      socket.write(`${head}content-length: 50001\r\n\r\n`)
      repeat(socket, 'a')
    },
  ],
  'sends a body without an end': [
    'too_large',
    (socket) => {
      socket.write(`${head}connection: close\r\n\r\n`)
      repeat(socket, 'a')
    },
  ],
  'resets the connection within the body': [
    'connection_failed',
    (socket) => socket.write(`${head}content-length: 10\r\n\r\nabc`, () => socket.resetAndDestroy()),
  ],
  'closes before the announced length': [
    'connection_failed',
    (socket) => void socket.end(`${head}content-length: 10\r\n\r\nabc`),
  ],
  'closes before an answer': ['connection_failed', (socket) => void socket.end()],
  'announces two lengths': [
    'connection_failed',
    (socket) => void socket.write(`${head}content-length: 3\r\ncontent-length: 5\r\n\r\nabcde`),
  ],
  'announces a length below zero': [
    'connection_failed',
    (socket) => void socket.write(`${head}content-length: -1\r\n\r\n`),
  ],
  'answers as HTTP/0.9': ['connection_failed', (socket) => void socket.end('<html>no head</html>')],
  'answers in another protocol': ['connection_failed', (socket) => void socket.write('SSH-2.0-OpenSSH_9.6\r\n')],
}

describe('a request to an untrusted address', () => {
  it('returns status, headers and body', async () => {
    let asked = ''
    const host = await startHost((socket, request) => {
      asked = request
      socket.write(`${head}content-length: 3\r\nretry-after: 7\r\n\r\nabc`)
    })
    const answer = await ask(host, { method: 'POST', body: '{"é":1}', headers: { 'content-type': 'application/json' } })
    expect({ ...answer, body: answer.body.toString() }).toEqual({
      status: 200,
      headers: { 'content-length': '3', 'retry-after': '7' },
      body: 'abc',
    })
    expect(asked.split('\r\n')[0]).toBe('POST /1.png?x=1 HTTP/1.1')
    expect(asked).toContain('\r\ncontent-length: 8\r\n')
    expect(asked).toMatch(/\r\naccept-encoding: identity\r\n/)
    await until(() => host.open.size === 0)
  })

  it('accepts an interim response before the final one', async () => {
    const host = await startHost((socket) => {
      socket.write(`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${head}content-length: 3\r\n\r\nabc`)
    })
    expect((await ask(host)).body.toString()).toBe('abc')
  })

  it.each(Object.entries(endless))('times out when the host %s', async (_name, [act, on]) => {
    const host = await startHost(act, on)
    await expect(ask(host, { timeoutMs: 150 })).rejects.toMatchObject({ name: 'SafeRequestError', fault: 'timed_out' })
    await until(() => host.open.size === 0)
    expect(host.connections).toBe(1)
  })

  it.each(Object.entries(endless))('aborts with its signal when the host %s', async (_name, [act, on]) => {
    const host = await startHost(act, on)
    const given = new AbortController()
    const reason = new Error('no longer wanted')
    const answer = ask(host, {}, given.signal)
    await until(() => host.open.size === 1)
    await new Promise((resolve) => setTimeout(resolve, 20))
    given.abort(reason)
    await expect(settledWithin(answer, 50)).rejects.toBe(reason)
    await until(() => host.open.size === 0)
  })

  it.each(Object.entries(refused))('refuses at once a host that %s', async (_name, [fault, act]) => {
    const host = await startHost(act)
    await expect(ask(host)).rejects.toMatchObject({ name: 'SafeRequestError', fault })
    await until(() => host.open.size === 0)
    expect(host.connections).toBe(1)
  })

  it('times out and aborts while TLS hangs', async () => {
    const host = await startHost(() => {}, 'connect')
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
    const stranger = { ...asStranger, resolve }
    await expect(ask(host, { ...stranger, timeoutMs: 150 }, undefined, 'https')).rejects.toMatchObject({
      fault: 'timed_out',
    })
    await until(() => host.open.size === 0)
    const given = new AbortController()
    const answer = ask(host, stranger, given.signal, 'https')
    await until(() => host.open.size === 1)
    given.abort()
    await expect(settledWithin(answer, 50)).rejects.toBe(given.signal.reason)
    // Sooner than the connection would time out.
    await settledWithin(
      until(() => host.open.size === 0),
      2_000,
    )
  })

  it('times out while the name lookup hangs', async () => {
    const url = new URL('https://silent.example/')
    let seen: AbortSignal | undefined
    const resolve = (_host: string, signal: AbortSignal) => {
      seen = signal
      return new Promise<never>(() => {})
    }
    const answer = safeRequest(url, { ...defaults, isTrusted: false, timeoutMs: 50, resolve })
    await expect(answer).rejects.toMatchObject({ fault: 'timed_out' })
    expect(seen?.aborted).toBe(true)
  })

  it('does not connect after an abort', async () => {
    const host = await startHost(() => {})
    await expect(ask(host, {}, AbortSignal.abort('gone'))).rejects.toBe('gone')
    expect(host.connections).toBe(0)
  })

  it('does not read an unwanted body', async () => {
    const host = await startHost((socket) => {
      socket.write(`${head}transfer-encoding: chunked\r\n\r\n`)
      repeat(socket, '4\r\nabcd\r\n')
    })
    expect(await ask(host, { maxBytes: 0 })).toMatchObject({ status: 200, body: Buffer.alloc(0) })
    await until(() => host.open.size === 0)
  })

  it('does not decompress', async () => {
    const host = await startHost((socket) => {
      socket.write(`${head}content-encoding: gzip\r\ncontent-length: ${gzipBomb.length}\r\n\r\n`)
      socket.write(gzipBomb)
    })
    expect((await ask(host)).body.equals(gzipBomb)).toBe(true)
  })

  it.each(['http://127.0.0.1:{}/loop', 'https://10.0.0.1/', '//169.254.169.254/', '/again'])(
    'does not follow a redirect to %s',
    async (location) => {
      const host = await startHost((socket) => {
        socket.write(
          `HTTP/1.1 302 Found\r\nlocation: ${location.replace('{}', String(host.port))}\r\ncontent-length: 0\r\n\r\n`,
        )
      })
      expect((await ask(host)).status).toBe(302)
      expect(host.connections).toBe(1)
    },
  )

  it.each(['http://93.184.216.34/', 'https://a:b@93.184.216.34/', 'ftp://93.184.216.34/', 'https://127.0.0.1/'])(
    'does not connect to %s',
    async (address) => {
      const answer = safeRequest(new URL(address), { ...defaults, isTrusted: false })
      await expect(answer).rejects.toMatchObject({ fault: 'not_allowed' })
    },
  )

  it('leaves no socket or timer after 200 hanging hosts', async () => {
    const host = await startHost(() => {}, 'connect')
    const given = new AbortController()
    const before = resources()
    const answers = Array.from({ length: 200 }, () =>
      ask(host, { timeoutMs: 600_000 }, given.signal).catch(() => 'ended'),
    )
    await until(() => host.open.size === 200)
    given.abort()
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['ended']))
    await until(() => host.open.size === 0)
    await until(() => resources() <= before)
  })
})

/** Returns the sockets and timers that keep this process alive. */
const resources = () =>
  process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap' || kind === 'Timeout').length

/** Returns the result, or an error if it takes longer. */
function settledWithin<Result>(work: Promise<Result>, milliseconds: number): Promise<Result> {
  let timer: NodeJS.Timeout
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It took longer than ${milliseconds} ms.`)), milliseconds)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
