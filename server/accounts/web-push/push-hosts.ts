import type { Config } from '#server/config.ts'
import { invalidField } from '#server/infra/errors.ts'
import { checkUrl, isLoopback } from '#server/webhooks/check-url.ts'

/**
 * Hosts of the browsers' push services; a leading dot stands for any host below. Chrome and browsers made from it:
 * Chromium's components/push_messaging/push_messaging_constants.cc. Firefox: the preference `dom.push.serverURL`. Edge:
 * the Windows Push Notification Services. Safari: Apple's "Sending web push notifications in web apps and browsers".
 */
const knownHosts = [
  'fcm.googleapis.com',
  'jmt17.google.com',
  'android.googleapis.com',
  '.push.services.mozilla.com',
  '.notify.windows.com',
  '.push.apple.com',
]

/**
 * Returns whether a URL is of a push service that a browser subscribes at, or that the operator added. Addresses that
 * sellers make up could hang for every notification.
 */
export function isPushService(url: URL, { PUSH_HOSTS, sandbox }: Pick<Config, 'PUSH_HOSTS' | 'sandbox'>): boolean {
  if (sandbox && isLoopback(url)) return true
  const { host } = url
  return [...knownHosts, ...PUSH_HOSTS].some((one) => (one.startsWith('.') ? host.endsWith(one) : host === one))
}

/** Throws 400 for an address that is not public or not of a known push service. */
export function checkPushService(endpoint: string, config: Config): void {
  checkUrl(endpoint, config.sandbox)
  if (isPushService(new URL(endpoint), config)) return
  throw invalidField('endpoint', 'not_allowed', 'must be an address of a known push service')
}
