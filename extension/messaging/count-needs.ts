import { needsSeller } from './import-row.ts'
import type { Overview } from './overview.ts'

/** Returns the number shown beside "Needs you" and on the toolbar button. */
export function countNeeds(overview: Overview): number {
  const { tasks, imports, platforms } = overview
  const signedOut = platforms.filter((platform) => platform.health === 'needs_you')
  return (tasks?.length ?? 0) + imports.filter(needsSeller).length + signedOut.length
}
