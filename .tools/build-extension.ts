import { access, constants, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { putInPlace } from './put-in-place.ts'
import { root } from './root.ts'
import { runTool } from './run-tool.ts'

const output = join(root, 'extension', '.output')
/** Tools of the builds leave caches in the temporary folder. */
const temporary = join(root, '.cache', 'tmp')

export interface BuildOptions {
  /** The address that the sign-in form proposes. */
  server?: string
  /** Packs the extension too, for the server's download. */
  zip?: boolean
  /** Ends the build. */
  signal?: AbortSignal
}

/**
 * Builds the extension for a browser and returns the folder to load. The folder of an earlier build stays until this
 * one is finished. Rejects with the build's output when it fails.
 */
export async function buildExtension(
  browser: 'chrome' | 'firefox',
  { server, zip = false, signal }: BuildOptions = {},
): Promise<string> {
  const unfinished = join(output, `${browser}.unfinished`)
  const wxt = join(root, 'node_modules', 'wxt', 'bin', 'wxt.mjs')
  const args = [wxt, zip ? 'zip' : 'build', 'extension', '--browser', browser, '--mv3']
  const env = { ...environment(), WXT_OUT_DIR: unfinished, ...(server ? { VITE_DEFAULT_SERVER: server } : {}) }
  let said = ''
  try {
    await mkdir(temporary, { recursive: true })
    await rm(unfinished, { recursive: true, force: true })
    const code = await runTool(process.execPath, args, { env, signal, onOutput: (chunk) => (said += chunk) })
    signal?.throwIfAborted()
    if (code !== 0) throw new Error(`The extension did not build for ${browser}:\n${said}`)
    for (const name of await readdir(unfinished)) await putInPlace(join(unfinished, name), join(output, name))
    return join(output, `${browser}-mv3`)
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

/** Builds the web app in a process of its own, which can be ended and gives its memory back. Rejects like the above. */
export async function buildWebApart(signal: AbortSignal): Promise<void> {
  let said = ''
  const script = join(root, '.tools', 'build-web.ts')
  try {
    await mkdir(temporary, { recursive: true })
    const options = { env: environment(), signal, onOutput: (chunk: string) => (said += chunk) }
    const code = await runTool(process.execPath, [script], options)
    signal.throwIfAborted()
    if (code !== 0) throw new Error(`The web app did not build:\n${said}`)
  } finally {
    for (const name of ['web', 'reference']) {
      await rm(join(output, `${name}.unfinished`), { recursive: true, force: true })
    }
  }
}

const environment = () => ({ ...process.env, TMPDIR: temporary, TEMP: temporary, TMP: temporary })

/** Returns whether builds can be written; they cannot on a read-only file system. */
export async function canBuild(): Promise<boolean> {
  try {
    await mkdir(output, { recursive: true })
    await access(output, constants.W_OK)
    return true
  } catch {
    return false
  }
}
