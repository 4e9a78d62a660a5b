import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '#tools/root.ts'

/**
 * `npm run lab -- install [--from v0.1.0]`: carries out the installations of docs/own-server.md and the Dockerfile with
 * real packages, and upgrades a server with data from that release to this commit and back.
 */
const { values } = parseArgs({ options: { from: { type: 'string', default: 'HEAD' } } })
const { status } = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    ...['--config', join(root, '.tools/vitest.config.ts'), '--project', 'server'],
    ...['server/container.test.ts', 'server/install.test.ts'],
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, INSTALL: '1', UPGRADE_FROM: values.from } },
)
process.exit(status ?? 1)
