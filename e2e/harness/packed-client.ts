import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = new URL('../..', import.meta.url).pathname

export interface PackedClient {
  folder: string
  /** Copies a program of `docs/examples` beside the package and starts it. */
  start(name: string, args: string[], environment: Record<string, string>): Promise<ChildProcess>
  remove(): Promise<void>
}

/** Packs the client and installs it in an empty folder, without this project's packages and types. */
export async function installPackedClient(): Promise<PackedClient> {
  const folder = await mkdtemp(join(tmpdir(), 'hapax-client-'))
  const { stdout } = await run(process.execPath, [join(root, '.tools/pack-client.ts'), folder], { cwd: root })
  await writeFile(join(folder, 'package.json'), '{ "private": true, "type": "module" }')
  await run('npm', ['install', stdout.trim(), '--offline', '--no-audit', '--no-fund'], { cwd: folder })
  return {
    folder,
    async start(name, args, environment) {
      await writeFile(join(folder, name), await readFile(join(root, 'docs/examples', name), 'utf8'))
      return spawn(process.execPath, [name, ...args], { cwd: folder, env: { ...process.env, ...environment } })
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** Returns the lines of a program that ends by itself. Throws what it prints as an error. */
export async function linesOf(program: ChildProcess): Promise<string[]> {
  let printed = ''
  let failed = ''
  program.stdout!.on('data', (chunk) => (printed += chunk))
  program.stderr!.on('data', (chunk) => (failed += chunk))
  const code = await new Promise((resolve) => program.once('close', resolve))
  if (code !== 0 || failed !== '') throw new Error(`The program ended with ${code}: ${failed}`)
  return printed.split('\n').filter(Boolean)
}
