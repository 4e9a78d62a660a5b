import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/**
 * Debian and its kin, as root, with no browser: installs the distribution's Chromium. Elsewhere the browser tests'
 * own search (e2e/browser.ts) finds an installed Chrome, or downloads one, or says what is missing.
 */
export function installChromiumWherePossible(): void {
  const found = [process.env.CHROMIUM_PATH, '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
  if (found.some((path) => path && existsSync(path))) return
  if (process.platform !== 'linux' || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return
  process.stdout.write('Installing Chromium for the browser tests (apt-get) …\n')
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', 'chromium', 'fonts-liberation'],
  ]) {
    const result = spawnSync('apt-get', args, { env: environment, encoding: 'utf8' })
    if (result.status !== 0) process.stderr.write(`apt-get ${args[0]} failed:\n${result.stderr}\n`)
  }
}
