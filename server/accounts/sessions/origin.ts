import Bowser from 'bowser'
import { limitSubject } from '#server/accounts/limits/account-keys.ts'
import type { Config } from '#server/config.ts'

/** How a session was opened. */
type SignInMethod = 'registration' | 'password' | 'phone' | 'apple' | 'passkey' | 'second_factor'

/** The origin of a sign-in, as far as the request tells. */
export interface Client {
  address: string
  userAgent: string
}

/** The properties of a new session. */
export interface SessionOrigin extends Client {
  method: SignInMethod
}

/** Returns the network of an address as it is stored and shown: /24 of IPv4, /48 of IPv6. */
export function networkOf(address: string): string {
  const v4 = /^(\d+\.\d+\.\d+)\.\d+$/.exec(address)?.[1]
  if (v4) return `${v4}.0/24`
  const v6 = /^([0-9a-f]+:[0-9a-f]+:[0-9a-f]+):/i.exec(address)?.[1]
  return v6 ? `${v6}::/48` : 'unknown'
}

/** Returns a name such as "Chrome on Windows", or "An unknown device". */
export function deviceName(userAgent: string | null): string {
  if (!userAgent) return 'An unknown device'
  const { browser, os } = Bowser.parse(userAgent)
  const named = [browser.name, os.name].filter(Boolean).join(' on ')
  // Programs that only name themselves: "hapax-cli/1.2".
  return named || /^[\w .-]{1,40}/.exec(userAgent)?.[0].trim() || 'An unknown device'
}

/** Returns an HMAC of network and browser; a new version of the browser is the same device. */
export const deviceOf = (config: Config, { address, userAgent }: Client) =>
  limitSubject(config, `device ${networkOf(address)} ${deviceName(userAgent)}`)
