import { lookup as systemLookup } from 'node:dns/promises'
import { type Config, settingNames } from '#server/config.ts'

type Lookup = (host: string) => Promise<unknown>

/** Throws if HOST or INTERNAL_HOST is a name that does not resolve, with a line for each. */
export async function refuseUnknownHosts(config: Config, lookup: Lookup = systemLookup): Promise<void> {
  const names = config.INTERNAL_PORT === undefined ? (['HOST'] as const) : (['HOST', 'INTERNAL_HOST'] as const)
  const faults: string[] = []
  for (const name of names) {
    if (name === 'HOST' && config.ROLE === 'worker') continue
    const why = await failureOf(lookup, config[name])
    if (why) faults.push(`${name}: is not a known name (${why}); set an address of this machine, or 0.0.0.0 for all`)
  }
  if (faults.length > 0) throw new Error(`These settings cannot work:\n  ${faults.join('\n  ')}`)
}

/**
 * Returns a warning for each address of the environment whose host does not resolve. No reason to refuse a start: the name
 * server may be down. A database that is not there ends the start by itself.
 */
export async function warnOfUnknownHosts(
  environment: Record<string, string | undefined>,
  config: Config,
  lookup: Lookup = systemLookup,
): Promise<string[]> {
  const warnings: string[] = []
  for (const name of settingNames) {
    if (!environment[name] || !/_(URL|ENDPOINT)$/.test(name) || name.startsWith('DATABASE_')) continue
    const host = URL.parse(String(config[name as keyof Config]))?.hostname.replace(/^\[|\]$/g, '')
    // One after the other: a name server that is down must not occupy every thread of the process.
    const why = host ? await failureOf(lookup, host) : null
    if (why) warnings.push(`${name}: the host ${host} is not known (${why})`)
  }
  return warnings
}

/** Returns the code with which a name does not resolve; null if it does. */
async function failureOf(lookup: Lookup, host: string): Promise<string | null> {
  return lookup(host).then(
    () => null,
    (error: NodeJS.ErrnoException) => error.code ?? 'no answer',
  )
}
