import { isIP } from 'node:net'
import type { Config } from '#server/config.ts'
import { problem } from '#server/infra/errors.ts'

/** The relying party of passkeys: the RP id is the host, and answers count from one origin only. */
export interface RelyingParty {
  id: string
  origin: string
}

const loopback = /^(127(\.\d{1,3}){3}|\[::1\])$/

/**
 * The relying party of this server, by its public address. Browsers make no passkey for an IP address; on this machine
 * "localhost" stands for it. Null for any other IP address, and without TLS.
 */
export function relyingPartyOf({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>): RelyingParty | null {
  const url = new URL(PUBLIC_URL)
  if (loopback.test(url.hostname)) url.hostname = 'localhost'
  if (isIP(url.hostname.replace(/^\[|\]$/g, ''))) return null
  if (url.protocol !== 'https:' && url.hostname !== 'localhost') return null
  return { id: url.hostname, origin: url.origin }
}

/** The same; throws `conflict` where passkeys are not possible. */
export function requireRelyingParty(config: Pick<Config, 'PUBLIC_URL'>): RelyingParty {
  const party = relyingPartyOf(config)
  if (!party) throw problem('conflict', 'Passkeys need a server with a host name and https.')
  return party
}
