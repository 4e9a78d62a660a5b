import type { IncomingMessage } from 'node:http'

/** Headers that proxies add: such a request came from elsewhere. */
const forwarding = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']

/** Returns whether a program on this machine sent the request directly. */
export function isLocalCaller(request: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
  const peer = (request.socket.remoteAddress ?? '').replace(/^::ffff:/i, '')
  return isLoopback(peer) && !forwarding.some((name) => request.headers[name] !== undefined)
}

/** Returns whether a host is `localhost` or a loopback address, with or without brackets. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|::1|\[::1\])$/i.test(host)
}
