import type { IncomingMessage } from 'node:http'

/** Headers that a proxy adds: a request that carries one was made elsewhere. */
const forwarding = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

/** True when a program on this machine sent the request itself, without a proxy. */
export function isLocalCaller(request: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
  const peer = (request.socket.remoteAddress ?? '').replace(/^::ffff:/i, '')
  return isLoopback(peer) && !forwarding.some((name) => request.headers[name] !== undefined)
}

/** True for `localhost` and for loopback addresses, with or without the brackets of a URL. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|\[::1\])$/i.test(host)
}
