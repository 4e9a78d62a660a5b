import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { release, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { freePorts } from '#e2e/harness/free-ports.ts'
import { root } from '#tools/root.ts'

/**
 * `npm run lab -- machines [case …] [--install]`: starts copies of this folder as they would start on other machines, one after
 * another, and writes what happened into docs/machines.md. Each copy is in a temporary folder, and only processes that were
 * started here are ended. `--install` adds the cases that download all packages. Linux; most cases need root.
 */
interface Case {
  name: string
  /** Folder of the copy, below a folder of the case. */
  folder?: string
  /** Mode of that folder's parent. */
  homeMode?: number
  environment?: Record<string, string>
  /** Shell commands in the copy before the start, in a mount namespace that ends with it. */
  mounts?: string
  /** Runs as this user instead of root. */
  user?: { uid: number; gid: number }
  /** Version of Node and npm, as packages; those of this machine by default. */
  node?: string
  npm?: string
  /** Begins without packages and with an empty cache of npm. */
  installs?: boolean
  /** A program that has the port. */
  portIsTaken?: boolean
}

interface Result {
  name: string
  outcome: string
  startSeconds: number | null
  stopSeconds: number
  left: string
}

const nobody = { uid: 65_534, gid: 65_534 }
const cases: Case[] = [
  { name: 'as root' },
  { name: 'as root, home of mode 0700', homeMode: 0o700 },
  { name: 'unprivileged user, home of mode 0700', homeMode: 0o700, user: nobody },
  { name: 'spaces and unicode in the path', folder: 'Häpax kit ☕' },
  { name: 'read-only folder', mounts: 'mount --bind . . && mount -o remount,bind,ro .' },
  {
    name: 'read-only folder, DATA_DIR elsewhere',
    mounts: 'mount --bind . . && mount -o remount,bind,ro .',
    environment: { DATA_DIR: 'elsewhere' },
  },
  { name: 'folder mounted noexec', mounts: 'mount --bind . . && mount -o remount,bind,noexec .' },
  { name: 'Node 20', node: '20' },
  { name: 'Node 22 with npm 10', node: '22', npm: '10' },
  { name: 'Node 24 with npm 11', node: '24', npm: '11' },
  { name: 'port taken', portIsTaken: true },
  {
    name: 'no browser',
    mounts: 'for f in /usr/bin/chromium /usr/bin/google-chrome; do ! [ -e $f ] || mount --bind /dev/null $f; done',
  },
  { name: 'npm set to run no scripts', environment: { npm_config_ignore_scripts: 'true' } },
  { name: 'TZ and a locale that is missing', environment: { TZ: 'Pacific/Kiritimati', LC_ALL: 'tr_TR.UTF-8' } },
  { name: 'IPv6 alone on the loopback interface', mounts: 'ip link set lo up; ip address delete 127.0.0.1/8 dev lo' },
  { name: 'first installation, npm 11', installs: true, npm: '11' },
  { name: 'first installation, Node 22 with npm 10', installs: true, node: '22', npm: '10' },
  {
    name: 'first installation, npm set to run no scripts',
    installs: true,
    environment: { npm_config_ignore_scripts: 'true' },
  },
]

/** Begins the sentence with which a start is refused. */
const refusal = 'Hapax could not start: '
/** How long a start may take, in ms. */
const longestStartMs = 600_000
const [from, to] = ['<!-- table: npm run lab -- machines -->\n', '<!-- end of the table -->\n']

const { values, positionals } = parseArgs({ options: { install: { type: 'boolean' } }, allowPositionals: true })
const chosen = cases.filter(({ name, installs }) =>
  positionals.length > 0 ? positionals.some((part) => name.includes(part)) : values.install || !installs,
)
const tools = await mkdtemp(join(tmpdir(), 'hapax-machines-tools-'))
await chmod(tools, 0o755)
let running: ChildProcess | undefined
process.on('SIGINT', () => {
  running?.kill('SIGINT')
  process.exitCode = 130
})
const results: Result[] = []
try {
  for (const one of chosen) {
    if (process.exitCode) break
    process.stdout.write(`── ${one.name}\n`)
    const result = await tryCase(one)
    results.push(result)
    process.stdout.write(`   ${rowOf(result)}\n`)
  }
} finally {
  await rm(tools, { recursive: true, force: true })
}
await writeTable(results)

async function tryCase(one: Case): Promise<Result> {
  const place = await mkdtemp(join(tmpdir(), 'hapax-machine-'))
  const temporary = join(place, 'tmp')
  const home = join(place, 'home')
  const folder = join(home, one.folder ?? 'hapax')
  const id = `${process.pid}-${cases.indexOf(one)}`
  const [port, taken] = [await freePorts(7), createServer()]
  try {
    await chmod(place, 0o755)
    await mkdir(temporary)
    await chmod(temporary, 0o777)
    await mkdir(home)
    await makeCopy(one, folder)
    if (one.user) {
      const owned = (await readdir(folder)).filter((name) => name !== 'node_modules').map((name) => join(folder, name))
      execFileSync('chown', ['-R', `${one.user.uid}:${one.user.gid}`, ...owned])
      execFileSync('chown', [`${one.user.uid}:${one.user.gid}`, home, folder])
    }
    await chmod(home, one.homeMode ?? 0o755)
    if (one.portIsTaken) await new Promise<void>((resolve) => taken.listen(port, '127.0.0.1', resolve))
    const { DATA_DIR, ...environment } = one.environment ?? {}
    return await run(one, {
      folder,
      temporary,
      id,
      port,
      environment: {
        ...environment,
        PATH: `${await programsOf(one)}:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`,
        HOME: home,
        TMPDIR: temporary,
        PORT: String(port),
        HAPAX_MACHINE: id,
        ...(DATA_DIR && { DATA_DIR: join(place, DATA_DIR) }),
        ...(one.installs ? { npm_config_cache: join(place, 'npm') } : { HAPAX_INSTALL: 'off' }),
      },
    })
  } finally {
    taken.close()
    // Root's data may be where the user postgres can enter.
    const elsewhere = await readlink(join(folder, '.data', 'postgres')).catch(() => null)
    if (elsewhere) await rm(elsewhere, { recursive: true, force: true })
    await rm(place, { recursive: true, force: true })
  }
}

interface Run {
  folder: string
  temporary: string
  id: string
  port: number
  environment: Record<string, string>
}

async function run(one: Case, { folder, temporary, id, port, environment }: Run): Promise<Result> {
  const namespace = one.name.startsWith('IPv6') ? ['--net'] : ['--mount']
  const [command = '', ...args] = one.mounts
    ? ['unshare', ...namespace, 'sh', '-c', `${one.mounts}; cd / && cd "$0" && exec npm start`, folder]
    : ['npm', 'start']
  const startedMs = performance.now()
  const child = spawn(command, args, { cwd: folder, env: environment, ...one.user, detached: true })
  running = child
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
  const exited = new Promise<number | null>((resolve) => child.on('exit', resolve))
  const isUp = await new Promise<boolean>((resolve) => {
    const late = setTimeout(() => resolve(false), longestStartMs)
    child.stdout.on('data', () => output.includes('Ctrl-C stops everything.') && resolve(true))
    void exited.then(() => resolve(false)).finally(() => clearTimeout(late))
  })
  const startSeconds = isUp ? (performance.now() - startedMs) / 1_000 : null
  const page = isUp ? await fetch(`http://127.0.0.1:${port}/app/`).then(({ status }) => status) : 0
  const stoppedMs = performance.now()
  // As a terminal does: to the whole group.
  if (child.exitCode === null && child.pid) process.kill(-child.pid, 'SIGINT')
  await exited
  const stopSeconds = isUp ? (performance.now() - stoppedMs) / 1_000 : 0
  const left = [...processesOf(id), ...(await readdir(temporary)).map((name) => `TMPDIR/${name}`)]
  return {
    name: one.name,
    outcome: isUp ? `runs, \`/app/\` is ${page}` : refusalIn(output, folder),
    startSeconds,
    stopSeconds,
    left: left.join(', ') || 'nothing',
  }
}

/** Copies the files of the last commit, with the installed packages and builds unless the case installs them. */
async function makeCopy(one: Case, folder: string): Promise<void> {
  await mkdir(folder)
  const files = execFileSync('git', ['archive', 'HEAD'], { cwd: root, maxBuffer: 2 ** 28 })
  execFileSync('tar', ['-x', '-C', folder], { input: files })
  if (one.installs) return
  // Links cost no time; a start replaces no file of a package. Another file system needs a copy.
  const modules = [join(root, 'node_modules'), join(folder, 'node_modules')]
  const linked = spawnSync('cp', ['-a', '--link', ...modules], { stdio: 'ignore' })
  if (linked.status !== 0) execFileSync('cp', ['-a', ...modules])
  const built = join(root, 'extension', '.output')
  if (existsSync(built)) await cp(built, join(folder, 'extension', '.output'), { recursive: true })
}

/** Returns a folder with the Node and npm of the case, or one that has neither. */
async function programsOf({ node, npm }: Case): Promise<string> {
  const wanted = [...(node ? [`node@${node}`] : []), ...(npm ? [`npm@${npm}`] : [])]
  const folder = join(tools, wanted.join('-') || 'none')
  if (wanted.length > 0 && !existsSync(folder)) {
    await mkdir(folder)
    const args = ['install', '--prefix', folder, '--no-save', '--ignore-scripts=false', '--loglevel=error', ...wanted]
    execFileSync('npm', args, { stdio: 'inherit' })
  }
  return join(folder, 'node_modules', '.bin')
}

/** Returns the commands of processes that a case left. */
function processesOf(id: string): string[] {
  return globSync('/proc/[0-9]*/environ').flatMap((file) => {
    try {
      if (!readFileSync(file, 'utf8').includes(`HAPAX_MACHINE=${id}\0`)) return []
      return [readFileSync(file.replace('environ', 'cmdline'), 'utf8').split('\0')[0] ?? '']
    } catch {
      return []
    }
  })
}

/** Returns the sentence with which a start was refused. */
function refusalIn(output: string, folder: string): string {
  const lines = output.split('\n').filter((line) => line.trim() && !/^>|^Starting|^npm (error|warn|notice)/.test(line))
  const said = lines.find((line) => line.startsWith(refusal)) ?? lines.at(-1) ?? 'nothing was said'
  return `refused: ${said.replace(refusal, '').replaceAll(folder, 'FOLDER')}`
}

function rowOf({ name, outcome, startSeconds, stopSeconds, left }: Result): string {
  const seconds = (value: number | null) => (value ? `${value.toFixed(1)} s` : '')
  return `| ${name} | ${outcome} | ${seconds(startSeconds)} | ${seconds(stopSeconds)} | ${left} |`
}

/** Writes the rows into the page. Rows of cases that were not tried stay. */
async function writeTable(made: Result[]): Promise<void> {
  const page = join(root, 'docs', 'machines.md')
  const [before = '', rest = ''] = (await readFile(page, 'utf8')).split(from)
  const [table = '', after = ''] = rest.split(to)
  const old = new Map(
    table
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .map((line) => [line.split(' | ')[0]?.slice(2), line]),
  )
  for (const result of made) old.set(result.name, rowOf(result))
  const rows = cases.flatMap(({ name }) => old.get(name) ?? [])
  const processor = readFileSync('/proc/cpuinfo', 'utf8').match(/^processor/gm)?.length
  const { stdout } = spawnSync('node', ['--version'], {
    encoding: 'utf8',
    env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
  })
  const where = `Linux ${release()}, ${processor} cores, the system's Node ${stdout.trim()}`
  const head = '| Machine | What happens | Start to page | Stop | Left over |\n|---|---|---|---|---|\n'
  await writeFile(page, `${before}${from}\nTried on ${where}.\n\n${head}${rows.join('\n')}\n\n${to}${after}`)
}
