import type { IncomingMessage } from 'node:http'
import { isIPv4, isIPv6 } from 'node:net'

/**
 * Returns the address that limits count by: the socket's peer, or with N trusted proxies the N-th entry of
 * X-Forwarded-For from the right. IPv4-mapped IPv6 counts as IPv4, IPv6 as its /64. Everything else shares the key
 * `unknown`, so it is never unlimited.
 */
export function clientAddress(request: IncomingMessage, trustedHops: number): string {
  const peer = request.socket.remoteAddress ?? ''
  if (trustedHops === 0) return limitKey(peer)
  const forwarded = request.headersDistinct['x-forwarded-for']?.join(',').split(',') ?? []
  const entry = forwarded.at(-trustedHops)?.trim()
  return limitKey(entry ?? peer)
}

/** Returns an address that counts by the given key, for requests inside the process. */
export const peerOf = (key: string): string => key.replace(/\/64$/, '')

/** Returns an address as a counting key. */
export function limitKey(address: string): string {
  const plain = address.replace(/^\[|\]$/g, '').split('%')[0]!
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1] ?? plain
  if (isIPv4(mapped)) return mapped
  if (!isIPv6(mapped)) return 'unknown'
  // The URL parser writes every spelling of an IPv6 address in its canonical form.
  const canonical = new URL(`http://[${mapped}]/`).hostname.slice(1, -1)
  const [head = '', tail = ''] = canonical.split('::')
  const groups = head === '' ? [] : head.split(':')
  const rest = canonical.includes('::') && tail !== '' ? tail.split(':') : []
  const all = [...groups, ...Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill('0'), ...rest]
  if (all.slice(0, 5).every((group) => group === '0') && all[5] === 'ffff') {
    const [high = 0, low = 0] = all.slice(6).map((group) => Number.parseInt(group, 16))
    return `${high >> 8}.${high & 255}.${low >> 8}.${low & 255}`
  }
  return `${all.slice(0, 4).join(':')}::/64`
}
