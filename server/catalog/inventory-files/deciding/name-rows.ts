import { createHash } from 'node:crypto'
import type { Cells } from '../columns.ts'

/**
 * Returns a function that names each row of a file in turn, by its content and how many rows before it have the same.
 * The rows of a repeated file have the same names.
 */
export function nameRows(): (cells: Cells) => string {
  const counts = new Map<string, number>()
  return (cells) => {
    const filled = Object.entries(cells).filter(([, cell]) => cell !== '')
    const hash = createHash('sha256').update(JSON.stringify(filled.sort())).digest('base64url').slice(0, 22)
    const count = (counts.get(hash) ?? 0) + 1
    counts.set(hash, count)
    return `${hash}.${count}`
  }
}
