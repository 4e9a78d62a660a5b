import { isIP } from 'node:net'
import type { Config } from '#server/config.ts'
import { problem } from '#server/infra/errors.ts'

/** The relying party: the RP id is the host, and only one origin is accepted. */
interface RelyingParty {
  id: string
  origin: string
}

const loopback = /^(127(\.\d{1,3}){3}|\[::1\])$/

/**
 * Returns the relying party of this server by its public URL. Browsers refuse IP addresses, so loopback becomes
 * "localhost". Null for other IP addresses and without TLS.
 */
export function relyingPartyOf({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>): RelyingParty | null {
  const url = new URL(PUBLIC_URL)
  if (loopback.test(url.hostname)) url.hostname = 'localhost'
  if (isIP(url.hostname.replace(/^\[|\]$/g, ''))) return null
  if (url.protocol !== 'https:' && url.hostname !== 'localhost') return null
  return { id: url.hostname, origin: url.origin }
}

/** Returns the relying party, or throws `conflict` if passkeys are impossible. */
export function requireRelyingParty(config: Pick<Config, 'PUBLIC_URL'>): RelyingParty {
  const party = relyingPartyOf(config)
  if (!party) throw problem('conflict', 'Passkeys need a server with a host name and https.')
  return party
}
