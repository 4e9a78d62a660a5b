import type { Cache, Run } from '#extension/storage/import-queue/database.ts'
import { isCheck } from '#extension/storage/import-queue/scrapes.ts'
import type { ImportJob } from '#shared/contract/imports.ts'
import type { KeepDeps } from '../session/keep-for.ts'
import type { Session } from '../session/session.ts'
import { readDropped, rememberDropped } from './canceled-imports.ts'

/**
 * Gives up an import that stopped or that the server refused: what it read and did not send is gone, what the server has
 * stays. A check that stopped only goes out of sight, as its being there puts off the next one. One that goes on
 * meanwhile is left alone.
 */
export async function dropRun(deps: KeepDeps & { cache: Cache }, session: Session, runId: string): Promise<void> {
  const { cache } = deps
  const given = await cache.runs.get(runId)
  if (!given || !canBeDropped(given)) return
  // Remembered first: a worker that dies here leaves the run, which is shown as long as it is there.
  await rememberDropped(deps, session, given.job ?? given.id)
  if (isCheck(given)) return
  await cache.transaction('rw', cache.runs, cache.outbox, cache.seen, async () => {
    const run = await cache.runs.get(runId)
    if (!run || !canBeDropped(run)) return
    await cache.outbox.where({ run_id: runId }).delete()
    await cache.seen.where({ run_id: runId }).delete()
    await cache.runs.delete(runId)
  })
}

/**
 * Leaves out what was given up: jobs that no run of this browser fills any more and in which nothing is to be decided,
 * and checks that are still stopped.
 */
export async function withoutDropped(
  { store }: Pick<KeepDeps, 'store'>,
  jobs: readonly ImportJob[],
  runs: readonly Run[],
): Promise<{ jobs: ImportJob[]; runs: Run[] }> {
  const dropped = new Set(await readDropped(store))
  const filled = new Set(runs.map((run) => run.job))
  return {
    jobs: jobs.filter(({ id, items_conflicted }) => !dropped.has(id) || filled.has(id) || items_conflicted > 0),
    runs: runs.filter((run) => !(isCheck(run) && dropped.has(run.id))),
  }
}

function canBeDropped({ state }: Run): boolean {
  return state === 'stopped' || state === 'refused'
}
