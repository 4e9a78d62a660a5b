import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'

export interface HostAddress {
  address: string
  family: number
}

/** All addresses of a host; gives up when the signal says so. */
export type ResolveHost = (host: string, signal: AbortSignal) => Promise<HostAddress[]>

/**
 * Asks the nameservers for the addresses of a host that a stranger named. Not by the system's own lookup: that takes one of
 * the few threads which every other lookup of the process waits for, for as long as the stranger's nameserver is silent, and
 * cannot be given up. IPv4 first. Throws the resolver's error when there is none, the signal's reason when it came first.
 */
export function createResolveHost(servers?: readonly string[]): ResolveHost {
  return async (host, signal) => {
    signal.throwIfAborted()
    const family = isIP(host)
    if (family !== 0) return [{ address: host, family }]
    const resolver = new Resolver({ timeout: 4_000, tries: 2 })
    if (servers) resolver.setServers(servers)
    const stop = () => resolver.cancel()
    signal.addEventListener('abort', stop, { once: true })
    try {
      const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
      signal.throwIfAborted()
      const addresses = [
        ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
        ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
      ]
      if (addresses.length === 0 && four.status === 'rejected') throw four.reason
      return addresses
    } finally {
      signal.removeEventListener('abort', stop)
    }
  }
}
