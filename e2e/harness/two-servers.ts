import { Agent, request } from 'node:http'
import { type ServerProcess, startServerProcess } from './server-process.ts'

/** The outcome of a request through the balancer. */
interface BalancedReply {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the server answered
  body: any
}

/**
 * Two servers over one database behind a load balancer. Each call goes to the next server that is ready, or to the
 * other one if the connection is refused. A connection that breaks later is an error; nothing is sent twice.
 */
interface TwoServers {
  call(method: string, path: string, headers: Record<string, string>, body?: object): Promise<BalancedReply>
  /** Restarts one server with SIGTERM on the same port. Returns how it ended. */
  replace(which: 0 | 1): Promise<{ code: number | null; afterMs: number }>
  /** Ends the second server. The first one runs on. */
  close(): Promise<ServerProcess>
}

export async function startTwoServers(environment: Record<string, string>): Promise<TwoServers> {
  const servers = await Promise.all([startServerProcess(environment), startServerProcess(environment)])
  const ports = servers.map(({ port }) => port)
  const running: ServerProcess[] = [...servers]
  const agent = new Agent({ keepAlive: true })
  const isReady = [true, true]
  let turn = 0
  const watch = setInterval(() => {
    for (const [index, port] of ports.entries()) {
      fetch(`http://127.0.0.1:${port}/readyz`, { headers: { connection: 'close' } }).then(
        ({ ok }) => {
          isReady[index] = ok
        },
        () => {
          isReady[index] = false
        },
      )
    }
  }, 250)

  return {
    async call(method, path, headers, body) {
      const next = turn++ % 2
      const first = !isReady[next] && isReady[1 - next] ? 1 - next : next
      const text = body === undefined ? undefined : JSON.stringify(body)
      const answered = await send(agent, ports[first]!, method, path, headers, text)
      return (
        answered ?? (await send(agent, ports[1 - first]!, method, path, headers, text)) ?? { status: 0, body: null }
      )
    },
    async replace(which) {
      const ended = await running[which]!.end('SIGTERM')
      running[which] = await startServerProcess(environment, ports[which])
      return ended
    },
    async close() {
      clearInterval(watch)
      await running[1]!.end()
      agent.destroy()
      return running[0]!
    },
  }
}

/** Sends a request. Returns null if the connection is refused, and throws if it breaks. */
function send(
  agent: Agent,
  port: number,
  method: string,
  path: string,
  headers: Record<string, string>,
  text: string | undefined,
): Promise<BalancedReply | null> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        agent,
        host: '127.0.0.1',
        port,
        method,
        path,
        headers: { ...headers, ...(text === undefined ? {} : { 'content-type': 'application/json' }) },
      },
      (response) => {
        let answer = ''
        response.setEncoding('utf8')
        response.on('data', (chunk) => (answer += chunk))
        response.on('error', reject)
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: answer === '' ? null : JSON.parse(answer) }),
        )
      },
    )
    const sentAt = performance.now()
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') return resolve(null)
      const after = `${Math.round(performance.now() - sentAt)} ms after it was sent on a ${sent.reusedSocket ? 'kept' : 'new'} connection`
      reject(new Error(`${error.message}, ${after}`, { cause: error }))
    })
    sent.end(text)
  })
}
