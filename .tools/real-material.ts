import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.ts'

/**
 * Recorded pages, answers and whole documents of the platforms, which are not part of the repository. The fixtures beside
 * the code have the same shapes with made-up values, so these suites are an extra.
 */
const isHere = existsSync(join(root, '..', 'shared', 'data'))

const pattern = '**/*.real.test.ts'

/** Patterns of the suites on real material, where it is absent: they are no tests of this run. */
export const suitesWithoutMaterial = isHere ? [] : [pattern]

/** Says how many suites are left out; null where the material is here. */
export const materialNotice = isHere
  ? null
  : `${countSuites()} suites on real captures not run: ../shared/data is absent.`

function countSuites(): number {
  return globSync(pattern, { cwd: root, exclude: ['**/node_modules', '.cache'] }).length
}
