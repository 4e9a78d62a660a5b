import { Resolver } from 'node:dns/promises'
import { isIP } from 'node:net'

/** Returns the texts of a name. Throws ENOTFOUND or ENODATA if there are none, another error if no server answered. */
export type ResolveTexts = (name: string) => Promise<string[][]>

/** Within this many ms a name server answers, or the mail waits. */
const timeoutMs = 2_000

/** Returns `host:port` in the form that the resolver takes; null if it names no server. */
export function nameServerAddress(text: string): string | null {
  const [, given = '', port = ''] = /^(.+):(\d{1,5})$/.exec(text) ?? []
  const host = given === 'localhost' ? '127.0.0.1' : given.replace(/^\[|\]$/g, '')
  if (isIP(host) === 0 || Number(port) < 1 || Number(port) > 65_535) return null
  return isIP(host) === 6 ? `[${host}]:${port}` : `${host}:${port}`
}

/** Creates a resolver of keys at a name server of the operator's; at the system's by default. */
export function createResolveTexts(server?: string): ResolveTexts {
  return (name) => {
    const resolver = new Resolver({ timeout: timeoutMs, tries: 2 })
    const address = server === undefined ? null : nameServerAddress(server)
    if (address !== null) resolver.setServers([address])
    return resolver.resolveTxt(name)
  }
}
