import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { KeptGrants } from './grants.ts'
import type { KeptNotices } from './notification.ts'
import type { KeptSelling } from './offers.ts'
import type { WorldChanges } from './world.ts'

/** What outlives a restart of the sandbox. */
export interface KeptState {
  grants?: KeptGrants
  world?: WorldChanges
  selling?: KeptSelling
  notices?: KeptNotices
}

/** The state kept at `path`; an empty one at the first start. Throws for a file that cannot be read, rather than losing it. */
export function readState(path: string | undefined): KeptState {
  if (!path) return {}
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as KeptState
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new Error(`The sandbox's state in ${path} cannot be read; delete it to start afresh.`, { cause })
  }
}

/** Written beside and renamed, so that a kill leaves the old state or the new one. */
export function writeState(path: string | undefined, state: KeptState): void {
  if (!path) return
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.new`, JSON.stringify(state), { mode: 0o600 })
  renameSync(`${path}.new`, path)
}
