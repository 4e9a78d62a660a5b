import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { emptyState, type StripeState } from './world.ts'

/** The state kept at `path`; an empty one at the first start. Throws for a file that cannot be read, rather than losing it. */
export function readState(path: string | undefined): StripeState {
  if (!path) return emptyState()
  try {
    return { ...emptyState(), ...(JSON.parse(readFileSync(path, 'utf8')) as Partial<StripeState>) }
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return emptyState()
    throw new Error(`The sandbox's state in ${path} cannot be read; delete it to start afresh.`, { cause })
  }
}

/** Written beside and renamed, so that a kill leaves the old state or the new one. */
export function writeState(path: string | undefined, state: StripeState): void {
  if (!path) return
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.new`, JSON.stringify(state), { mode: 0o600 })
  renameSync(`${path}.new`, path)
}
