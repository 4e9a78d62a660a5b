import { createServer } from 'node:net'

/** Ports of a worker of Vitest, so that no two choose the same at the same time. */
const ownPorts = 2_000
const firstPort = 11_000 + (Number(process.env.VITEST_POOL_ID ?? 0) % 10) * ownPorts

/**
 * Returns the first of `count` consecutive free ports, for servers that start later or restart. They are below the
 * ephemeral range, so no outgoing connection takes one meanwhile.
 */
export async function freePorts(count: number): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const first = firstPort + Math.floor(Math.random() * (ownPorts - count))
    const free = await Promise.all(Array.from({ length: count }, (_, offset) => isFree(first + offset)))
    if (free.every(Boolean)) return first
  }
  throw new Error('no free ports were found')
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
  })
}
