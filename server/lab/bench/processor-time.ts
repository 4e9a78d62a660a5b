import { readFileSync } from 'node:fs'
import type { Database } from '#server/infra/db/index.ts'

/** Milliseconds of processor time that processes have used, by Linux; null elsewhere. One that is gone counts nothing. */
export function processorMs(pids: readonly number[]): number | null {
  if (process.platform !== 'linux') return null
  return pids.reduce((sum, pid) => sum + ticksOf(pid) * 10, 0)
}

/**
 * Returns the ms that the machine's host has used its processors for other guests, on Linux; null elsewhere. A
 * hundredth of the time is enough to show in a p99.
 */
export function stolenMs(): number | null {
  if (process.platform !== 'linux') return null
  return Number(/^cpu +(?:\d+ +){7}(\d+)/.exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? 0) * 10
}

/** The processes of the server that serve connections. */
export function backendsOf(db: Database): Promise<number[]> {
  return db.map('select pid from pg_stat_activity', [], ({ pid }) => pid)
}

/** User and system time, in hundredths of a second. */
function ticksOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return Number(fields[11]) + Number(fields[12])
  } catch {
    return 0
  }
}
