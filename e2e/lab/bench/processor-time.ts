import { readFileSync } from 'node:fs'
import type { Database } from '#server/infra/db/index.ts'

/** Returns the processor time of processes in ms, on Linux; null elsewhere. Ended processes count as 0. */
export function processorMs(pids: readonly number[]): number | null {
  if (process.platform !== 'linux') return null
  return pids.reduce((sum, pid) => sum + ticksOf(pid) * 10, 0)
}

/** Returns the process ids of the database's connections. */
export function backendsOf(db: Database): Promise<number[]> {
  return db.map('select pid from pg_stat_activity', [], ({ pid }) => pid)
}

/** Returns user and system time in hundredths of a second. */
function ticksOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return Number(fields[11]) + Number(fields[12])
  } catch {
    return 0
  }
}
