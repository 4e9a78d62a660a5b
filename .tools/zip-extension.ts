import { spawnSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.ts'

/**
 * A part of `npm run build`: what goes to the stores, one zip for each, in extension/.output. They differ from what
 * `npm start` hands out only in asking for the server's host at sign-in (`--mode store`).
 */
const wxt = join(root, 'node_modules', 'wxt', 'bin', 'wxt.mjs')
for (const browser of ['chrome', 'edge', 'firefox']) {
  const args = [wxt, 'zip', 'extension', '--browser', browser, '--mv3', '--mode', 'store']
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
const folder = join(root, 'extension', '.output')
for (const name of readdirSync(folder).filter((one) => one.endsWith('.zip'))) {
  console.log(`${join(folder, name)}  ${Math.round(statSync(join(folder, name)).size / 1024)} KB`)
}
