import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from '#tools/root.ts'

/** `npm run lab -- install`: carries out the installations of docs/own-server.md and the Dockerfile with real packages. */
const { status } = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    ...['--config', join(root, '.tools/vitest.config.ts'), '--project', 'server'],
    ...['server/container.test.ts', 'server/install.test.ts'],
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, INSTALL: '1' } },
)
process.exit(status ?? 1)
