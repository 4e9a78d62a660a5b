/** The server that the sign-in form proposes: the one that built the extension, else the sandbox's usual address. */
export const defaultServer: string = import.meta.env.VITE_DEFAULT_SERVER ?? 'http://127.0.0.1:8080'

/** A host name or address as the URL parser writes it, which also accepts "not%20a%20url". */
const hostName = /^([a-z0-9_-]+(\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])$/
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * Returns the origin of an address as typed ("hapax.example" -> "https://hapax.example"). Returns null if it is
 * invalid, has a password, or would send the key unencrypted over a network.
 */
export function parseServerAddress(text: string): string | null {
  const trimmed = text.trim()
  const url = URL.parse(/^[a-z]+:\/\//i.test(trimmed) ? trimmed : withScheme(trimmed))
  if (!url || url.username || url.password || !hostName.test(url.hostname)) return null
  const allowed = url.protocol === 'https:' || (url.protocol === 'http:' && loopback.test(url.hostname))
  return allowed ? url.origin : null
}

/** Returns the host permission for a server. Match patterns have no port. */
export function permissionPattern(server: string): string {
  const url = new URL(server)
  return `${url.protocol}//${url.hostname}/*`
}

function withScheme(text: string): string {
  const host = text.split(/[/?#]/)[0]?.replace(/:\d+$/, '') ?? ''
  return `${loopback.test(host) ? 'http' : 'https'}://${text}`
}
