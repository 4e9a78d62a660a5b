import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { access, constants, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { putInPlace } from './put-in-place.ts'
import { root } from './root.ts'
import { runTool } from './run-tool.ts'

const usualOutput = join(root, 'extension', '.output')
/** Tools of the builds leave caches in the temporary folder. */
const temporary = join(root, '.cache', 'tmp')
/** A file in each built folder, with the hash of what it was built from. */
const mark = '.built-from'

export interface BuildOptions {
  /** The address that the sign-in form proposes. */
  server?: string
  /** Packs the extension too, for the server's download. */
  zip?: boolean
  /** The folder to build into, from the project's; by default the one that `npm start` hands out. */
  output?: string
  /** Ends the build. */
  signal?: AbortSignal
}

/**
 * Builds the extension for a browser, unless it is built from the same sources already, and returns the folder to load. The
 * folder of an earlier build stays until this one is finished. Rejects with the build's output when it fails.
 */
export async function buildExtension(
  browser: 'chrome' | 'firefox',
  { server, zip = false, output: wanted = usualOutput, signal }: BuildOptions = {},
): Promise<string> {
  // WXT reads a relative path from the extension's folder.
  const output = resolve(root, wanted)
  const folder = join(output, `${browser}-mv3`)
  // The build for the stores has a zip of the same name.
  const packed = () => (zip ? globSync(join(output, `*-${browser}.zip`)) : [])
  const sources = () => hashSources(`${server ?? ''} ${zip}`, packed())
  if (await isBuiltFrom(folder, sources())) return folder
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
    await writeFile(join(folder, mark), sources())
    return folder
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
}

/**
 * Builds the web app in a process of its own, which can be ended and gives its memory back, unless it is built from the same
 * sources already. Rejects like the above.
 */
export async function buildWebApart(signal?: AbortSignal): Promise<void> {
  const folder = join(usualOutput, 'web')
  const sources = hashSources()
  if ((await isBuiltFrom(folder, sources)) && existsSync(join(usualOutput, 'reference'))) return
  let said = ''
  const script = join(root, '.tools', 'build-web.ts')
  try {
    await mkdir(temporary, { recursive: true })
    const options = { env: environment(), signal, onOutput: (chunk: string) => (said += chunk) }
    const code = await runTool(process.execPath, [script], options)
    signal?.throwIfAborted()
    if (code !== 0) throw new Error(`The web app did not build:\n${said}`)
    await writeFile(join(folder, mark), sources)
  } finally {
    for (const name of ['web', 'reference']) {
      await rm(join(usualOutput, `${name}.unfinished`), { recursive: true, force: true })
    }
  }
}

/** Returns a hash of all that the builds are made of (sources, packages, tools), of a setting, and of built files. */
function hashSources(setting = '', built: string[] = []): string {
  const patterns = [
    '{extension,shared}/**/*.*',
    '.tools/build-*.ts',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
  ]
  const exclude = ['extension/.output', 'extension/.wxt', '**/*.test.*', '**/testing', '**/fixtures']
  const files = globSync(patterns, { cwd: root, exclude })
  const hash = createHash('sha256').update(setting)
  for (const file of [...files.sort(), ...built]) hash.update(file).update(readFileSync(resolve(root, file)))
  return hash.digest('hex')
}

const isBuiltFrom = async (folder: string, sources: string) =>
  (await readFile(join(folder, mark), 'utf8').catch(() => '')) === sources

const environment = () => ({
  ...process.env,
  NODE_ENV: 'production',
  TMPDIR: temporary,
  TEMP: temporary,
  TMP: temporary,
})

/** Returns whether builds can be written; they cannot on a read-only file system. */
export async function canBuild(): Promise<boolean> {
  try {
    await mkdir(usualOutput, { recursive: true })
    await access(usualOutput, constants.W_OK)
    return true
  } catch {
    return false
  }
}
