/** The server that the sign-in form proposes: the one that built the extension, else the sandbox's usual address. */
export const defaultServer: string = import.meta.env.VITE_DEFAULT_SERVER ?? 'http://127.0.0.1:8080'

/** A name or an address, as the URL parser writes it; it lets "not%20a%20url" pass too. */
const hostName = /^([a-z0-9_-]+(\.[a-z0-9_-]+)*\.?|\[[0-9a-f:.]+\])$/
const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * The origin of a server address as a seller types it ("hapax.example" -> "https://hapax.example").
 * Null when it is none, carries a password, or would send the key unencrypted over a network.
 */
export function parseServerAddress(text: string): string | null {
  const trimmed = text.trim()
  const url = URL.parse(/^[a-z]+:\/\//i.test(trimmed) ? trimmed : withScheme(trimmed))
  if (!url || url.username || url.password || !hostName.test(url.hostname)) return null
  const allowed = url.protocol === 'https:' || (url.protocol === 'http:' && loopback.test(url.hostname))
  return allowed ? url.origin : null
}

/** Permission that the extension needs to reach a server; a match pattern knows no port. */
export function permissionPattern(server: string): string {
  const url = new URL(server)
  return `${url.protocol}//${url.hostname}/*`
}

function withScheme(text: string): string {
  const host = text.split(/[/?#]/)[0]?.replace(/:\d+$/, '') ?? ''
  return `${loopback.test(host) ? 'http' : 'https'}://${text}`
}
