import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { root } from './root.ts'

/** `npm run lab -- NAME [options]`: runs one laboratory of e2e/lab/commands, and ends as it does. Names them all without one. */
const folder = join(root, 'e2e', 'lab', 'commands')
const names = readdirSync(folder)
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => basename(file, '.ts'))
const [name = '', ...options] = process.argv.slice(2)
if (!names.includes(name)) {
  console.error(`Say which: npm run lab -- NAME. There are ${names.join(', ')}.`)
  process.exit(2)
}
const { status } = spawnSync(process.execPath, [join(folder, `${name}.ts`), ...options], {
  cwd: root,
  stdio: 'inherit',
})
process.exit(status ?? 1)
