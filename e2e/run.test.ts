import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { until } from './timeouts.ts'

/** A project with two packages, and an npm that writes down how it is called and does as the test says. */
let folder: string
const children = new Set<ChildProcess>()
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hapax-run-'))
  for (const name of ['.tools', 'server', 'bin']) await mkdir(join(folder, name))
  await cp('.tools/run.mjs', join(folder, '.tools', 'run.mjs'))
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ type: 'module', allowScripts: { node: true, gone: true } }),
  )
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock))
  await writeFile(
    join(folder, 'server', 'main.ts'),
    "console.log('it runs')\nif (process.argv[2]) setInterval(() => {}, 60_000)",
  )
})
afterEach(async () => {
  for (const child of children) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

const lock = {
  packages: {
    '': {},
    'node_modules/node': { version: '24.0.0' },
    'node_modules/vite': { version: '8.0.0', dev: true },
  },
}

/** Installs the packages as npm would leave them. */
async function installed({ packages } = lock): Promise<void> {
  await mkdir(join(folder, 'node_modules', 'node', 'bin'), { recursive: true })
  await symlink(process.execPath, join(folder, 'node_modules', 'node', 'bin', 'node'))
  await writeFile(join(folder, 'node_modules', '.package-lock.json'), JSON.stringify({ packages }))
}

/** Puts a shell script in the place of npm. `ready` is a folder of installed packages that it can copy. */
async function npmThat(script: string): Promise<void> {
  await installed()
  await rm(join(folder, 'ready'), { recursive: true, force: true })
  await cp(join(folder, 'node_modules'), join(folder, 'ready'), { recursive: true })
  await rm(join(folder, 'node_modules'), { recursive: true })
  const npm = join(folder, 'bin', 'npm')
  await writeFile(npm, `#!/bin/sh\necho "$@" >> ${folder}/calls\n${script}\n`)
  await chmod(npm, 0o755)
}

const calls = async () =>
  existsSync(join(folder, 'calls')) ? (await readFile(join(folder, 'calls'), 'utf8')).trim().split('\n') : []

const environment = () => ({ PATH: `${join(folder, 'bin')}:/usr/bin:/bin` })

function run(...args: string[]): { status: number | null; output: string } {
  return runWith({}, ...args)
}

function runWith(extra: Record<string, string>, ...args: string[]): { status: number | null; output: string } {
  const script = join(folder, '.tools', 'run.mjs')
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    encoding: 'utf8',
    env: { ...environment(), ...extra },
  })
  return { status, output: stdout + stderr }
}

const copy = 'rm -rf node_modules; cp -r ready node_modules'

it('runs a script with the packages of the lock file', async () => {
  await installed()
  expect(run('--install', 'server/main.ts')).toEqual({ status: 0, output: 'it runs\n' })
  expect(run('--production', 'server/main.ts').status).toBe(0)
  expect(run('server/main.ts').status).toBe(0)
})

it('installs for no command of an operator', async () => {
  await npmThat(copy)
  expect(run('server/main.ts').output).toContain('Run npm ci first')
  expect(run('--production', 'server/main.ts').output).toContain('Run npm ci --omit=dev')
  await installed({ packages: { 'node_modules/node': lock.packages['node_modules/node'] } } as unknown as typeof lock)
  expect(run('server/main.ts').output).toContain('Run npm ci first')
  expect(run('--production', 'server/main.ts').output).toBe('it runs\n')
  expect(await calls()).toEqual([])
})

it('has only two commands that install', async () => {
  const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as { scripts: Record<string, string> }
  expect(Object.keys(scripts).filter((name) => scripts[name]?.includes('--install'))).toEqual(['start', 'test'])
})

it('installs what is missing, and says how much that is', async () => {
  await npmThat(copy)
  const { status, output } = run('--install', 'server/main.ts')
  expect([status, output]).toEqual([0, expect.stringContaining('1 GB')])
  expect(output).toContain('it runs')
  expect((await calls()).filter((call) => call.startsWith('ci ')).length).toBe(1)
})

it('never installs while a server of the folder runs', async () => {
  await npmThat(copy)
  const server = spawn(process.execPath, ['server/main.ts', 'stay'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  children.add(server)
  await new Promise((resolve) => server.stdout.once('data', resolve))
  const { status, output } = run('--install', 'server/main.ts')
  expect([status, output]).toEqual([1, expect.stringContaining(`process ${server.pid} (server/main.ts) runs`)])
  expect(await calls()).toEqual([])
})

it('installs once more after an npm that ended without finishing', async () => {
  const fails = 'echo "npm error Exit handler never called!" >&2; exit 1'
  await npmThat(`[ "$1" = ci ] || exit 0; [ -e once ] && { ${copy}; exit 0; }; touch once; ${fails}`)
  expect(run('--install', 'server/main.ts').status).toBe(0)
})

it('says what helps when npm ends twice without finishing', async () => {
  await npmThat('echo "npm error Exit handler never called!" >&2; exit 1')
  const { status, output } = run('--install', 'server/main.ts')
  expect([status, output]).toEqual([1, expect.stringContaining('npm install -g npm@latest')])
  expect((await calls()).filter((call) => call.startsWith('ci ')).length).toBe(2)
})

it.each([
  ['npm error code ENOSPC', 'The disk is full'],
  ['npm error code ENOTFOUND', 'cannot be reached'],
  ['npm error code EACCES', 'This user cannot write'],
])('says what helps after %s', async (message, advice) => {
  await npmThat(`echo "${message}" >&2; exit 1`)
  expect(run('--install', 'server/main.ts').output).toContain(advice)
  expect((await calls()).filter((call) => call.startsWith('ci ')).length).toBe(1)
})

it('runs the allowed install scripts alone', async () => {
  await npmThat(`[ "$1" = ci ] && { ${copy}; }; exit 0`)
  expect(run('--install', 'server/main.ts').status).toBe(0)
  expect(await calls()).toEqual([
    expect.stringMatching(/^ci .*--ignore-scripts --/),
    expect.stringMatching(/^rebuild --ignore-scripts=false node --/),
  ])
})

it.each(['SIGINT', 'SIGTERM'] as const)('ends npm with its children on %s', async (signal) => {
  await npmThat('[ "$1" = ci ] || exit 0; sleep 61 & echo $! > child; wait')
  const script = join(folder, '.tools', 'run.mjs')
  const child = spawn(process.execPath, [script, '--install', 'server/main.ts'], {
    stdio: 'ignore',
    env: environment(),
  })
  children.add(child)
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve))
  await until('npm to run', async () => /\d/.test(await readFile(join(folder, 'child'), 'utf8').catch(() => '')))
  const pid = Number(await readFile(join(folder, 'child'), 'utf8'))
  child.kill(signal)
  expect(await exited).toBe(130)
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})

/** Runs code before the script, with the programs of Node as a module whose functions it may replace. */
const afterPatching = (code: string) => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`import programs from 'node:child_process'
import { syncBuiltinESMExports } from 'node:module'
${code}
syncBuiltinESMExports()`)}`,
})

it.each([
  ['npm', '--install'],
  ['a script', '--production'],
])('passes on a signal that comes as soon as %s runs', async (_name, mode) => {
  await npmThat('[ "$1" = ci ] && { touch begun; sleep 61; }')
  if (mode === '--production') await installed()
  await writeFile(
    join(folder, 'server', 'main.ts'),
    `import { writeFileSync } from 'node:fs'
process.on('SIGTERM', () => process.exit(130))
writeFileSync('begun', '')
setInterval(() => {}, 60_000)`,
  )
  // As on a loaded machine, where a child may run before its parent goes on.
  const slow = afterPatching(`import { existsSync } from 'node:fs'
const { spawn } = programs
programs.spawn = (...args) => {
  const child = spawn(...args)
  while (!existsSync('${folder}/begun')) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
  process.kill(process.pid, 'SIGTERM')
  return child
}`)
  const child = spawn(process.execPath, [join(folder, '.tools', 'run.mjs'), mode, 'server/main.ts'], {
    stdio: 'ignore',
    env: { ...environment(), ...slow },
  })
  children.add(child)
  expect(await once(child, 'exit')).toEqual([130, null])
})

it('names a file system that forbids programs', async () => {
  await npmThat(copy)
  // Answers as a kernel does for a program on such a file system, which only root could mount here.
  const options = afterPatching(`const { spawnSync } = programs
const error = Object.assign(new Error('EACCES'), { code: 'EACCES' })
programs.spawnSync = (path, ...rest) => (path.startsWith('${folder}/') ? { error } : spawnSync(path, ...rest))`)
  expect(runWith(options, '--install', 'server/main.ts')).toEqual({
    status: 1,
    output: expect.stringContaining('forbids programs'),
  })
  expect(await calls()).toEqual([])
})
