import { spawnSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { root } from './root.ts'

/**
 * `npm run bench [name …] [-- options]`: runs every *.bench.ts in turn, each printing its figure beside its reference. The
 * benchmarks get the options.
 */
const given = process.argv.slice(2)
const firstOption = given.findIndex((argument) => argument.startsWith('-'))
const [wanted, options] = firstOption === -1 ? [given, []] : [given.slice(0, firstOption), given.slice(firstOption)]
const files = globSync('e2e/lab/bench/*.bench.ts', { cwd: root })
  .filter((file) => wanted.length === 0 || wanted.some((name) => file.includes(name)))
  .sort()
let failed = 0
for (const file of files) {
  console.log(`\n── ${file}`)
  const { status } = spawnSync(process.execPath, ['--expose-gc', file, ...options], { cwd: root, stdio: 'inherit' })
  if (status !== 0) failed++
}
if (files.length === 0) console.log('There is no benchmark of that name.')
process.exit(failed > 0 || files.length === 0 ? 1 : 0)
