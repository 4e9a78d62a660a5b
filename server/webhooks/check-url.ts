import { isIP } from 'node:net'
import { isPublicAddress } from '#server/http/outbound/public-address.ts'
import { invalidField } from '#server/infra/errors.ts'

const loopback = /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/

/** Returns whether a URL names this machine, which only the sandbox may send to. */
export function isLoopback(url: URL): boolean {
  return loopback.test(url.hostname)
}

/**
 * Returns the normalized URL of an endpoint. It must be https and not visibly private; the sandbox also allows this
 * machine. Every delivery checks again that the host resolves to a public address. Throws 400.
 */
export function checkUrl(text: string, sandbox: boolean): string {
  const url = new URL(text)
  const refuse = (message: string) => invalidField('url', 'not_allowed', message)
  if (url.username || url.password) throw refuse('must not hold a user name or password')
  url.hash = ''
  if (sandbox && isLoopback(url)) return url.href
  if (url.protocol !== 'https:') throw refuse('must begin with https://')
  if (url.port !== '' && Number(url.port) < 1024) throw refuse('must use port 443 or one above 1023')
  if (!isPublicHost(url.hostname)) throw refuse('must be a public address')
  return url.href
}

/** Returns whether a host is not visibly private. Connecting checks again to which addresses it resolves. */
export function isPublicHost(text: string): boolean {
  const host = withoutLastDots(text.replace(/^\[|\]$/g, ''))
  return isIP(host)
    ? isPublicAddress(host)
    : host.includes('.') && !/\.(local|localhost|internal|home\.arpa)$/i.test(host)
}

/** Returns a host without the dots at its end, with which it names the same. */
function withoutLastDots(host: string): string {
  let end = host.length
  while (host[end - 1] === '.') end--
  return host.slice(0, end)
}
