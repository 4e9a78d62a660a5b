import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from '#tools/root.ts'

/** `npm run lab -- mutations [sites] [seed]`: reads mutated sites of every platform and prints figures by kind. */
const [sites = '3000', seed = '100000'] = process.argv.slice(2)
const { status } = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    ...['--config', join(root, '.tools/vitest.config.ts'), '--project', 'extension'],
    ...['--testTimeout', '3600000', 'extension/platforms/mutations', 'extension/platforms/page-mutations'],
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, MUTATIONS: sites, MUTATION_SEED: seed } },
)
process.exit(status ?? 1)
