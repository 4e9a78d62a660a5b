import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePorts } from './free-ports.ts'

/** The whole server in a separate process, as in production except for longer timeouts (raise-timeouts.ts). */
export interface ServerProcess {
  url: string
  pid: number
  /** Sends a signal once, and returns how the process ended. */
  end(signal?: NodeJS.Signals): Promise<{ code: number | null; afterMs: number }>
}

/** The key that test servers share (startTestServer has it too). */
export const testSecretKey = Buffer.alloc(32, 7).toString('base64')

/**
 * Starts `server/main.ts` and waits until it is ready. `port` is for a server that restarts. A worker (ROLE) has its
 * internal port there.
 */
export async function startServerProcess(
  environment: Record<string, string>,
  port?: number,
): Promise<ServerProcess & { port: number }> {
  const own = port ?? (await freePorts(1))
  const main = fileURLToPath(new URL('../../server/main.ts', import.meta.url))
  const child = spawn(
    process.execPath,
    ['--import', new URL('./runner/raise-timeouts.ts', import.meta.url).href, main],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        [environment.ROLE === 'worker' ? 'INTERNAL_PORT' : 'PORT']: String(own),
        SECRET_KEY: testSecretKey,
        LOG_LEVEL: 'error',
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        ...environment,
      },
    },
  )
  const url = `http://127.0.0.1:${own}`
  await untilReady(url, child)
  return {
    url,
    port: own,
    pid: child.pid ?? 0,
    async end(signal = 'SIGTERM') {
      const sinceMs = performance.now()
      if (child.exitCode === null && child.signalCode === null) {
        const ended = new Promise((resolve) => child.once('exit', resolve))
        child.kill(signal)
        await ended
      }
      return { code: child.exitCode, afterMs: performance.now() - sinceMs }
    },
  }
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  for (let waitedMs = 0; waitedMs < 100_000; waitedMs += 50) {
    if (child.exitCode !== null) throw new Error(`a server ended with ${child.exitCode} before it was ready`)
    const ready = await fetch(`${url}/readyz`, { headers: { connection: 'close' } }).then(
      ({ ok }) => ok,
      () => false,
    )
    if (ready) return
    await pause(50)
  }
  throw new Error('a server did not start')
}
