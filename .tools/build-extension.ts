import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { root } from './root.ts'

/**
 * Builds the extension for a browser and returns the folder to load. `server` is the address that its sign-in form
 * proposes. With `zip` it is packed too, for the server's download. Rejects with the build's output when it fails.
 */
export function buildExtension(browser: 'chrome' | 'firefox', server?: string, zip = false): Promise<string> {
  return new Promise((resolve, reject) => {
    const wxt = join(root, 'node_modules', 'wxt', 'bin', 'wxt.mjs')
    const child = spawn(process.execPath, [wxt, zip ? 'zip' : 'build', 'extension', '--browser', browser, '--mv3'], {
      cwd: root,
      env: { ...process.env, ...(server ? { VITE_DEFAULT_SERVER: server } : {}) },
    })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    child.on('error', reject)
    child.on('exit', (code) => {
      if (code === 0) resolve(join(root, 'extension', '.output', `${browser}-mv3`))
      else reject(new Error(`The extension did not build for ${browser}:\n${output}`))
    })
  })
}
