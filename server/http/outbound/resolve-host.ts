import dns, { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'

export interface HostAddress {
  address: string
  family: number
}

/** Returns all addresses of a host; stops when the signal aborts. */
export type ResolveHost = (host: string, signal: AbortSignal) => Promise<HostAddress[]>

/**
 * Resolves an untrusted host at the process's nameservers. The system's lookup would block one of the few threads of all
 * lookups while a nameserver is silent, and cannot be cancelled. IPv4 first. Throws the resolver's error without
 * addresses, or the signal's reason.
 */
export const resolveHost: ResolveHost = async (host, signal) => {
  signal.throwIfAborted()
  const family = isIP(host)
  if (family !== 0) return [{ address: host, family }]
  const resolver = new Resolver({ timeout: 4_000, tries: 2 })
  resolver.setServers(dns.getServers())
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
