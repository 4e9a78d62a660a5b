// Runs a script of the project on the project's own Node, after installing what is missing.
// Plain JavaScript without dependencies: it is the first thing that runs on a fresh machine, on any Node >= 20.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Runs TypeScript as it is. */
const oldestNode = 24
const node = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node')

const [first, ...rest] = process.argv.slice(2)
if (first === '--production') {
  requireProduction()
  run(rest)
} else {
  install()
  run([first, ...rest])
}

/**
 * `npm ci`, unless the packages of the lock file are there already. HAPAX_INSTALL=off forbids it. Warnings are left out: the
 * system's Node may be older than some packages want, and only runs this file.
 */
function install() {
  if (existsSync(node) && isInstalled((entry) => entry.optional)) return
  if (process.env.HAPAX_INSTALL === 'off') {
    console.error('The packages of package-lock.json are not installed, and HAPAX_INSTALL=off. Run npm ci.')
    process.exit(1)
  }
  console.log('Installing the packages of package-lock.json from the npm registry (npm ci) …')
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const result = spawnSync(npm, ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (result.status !== 0) {
    console.error('npm ci failed; see its messages above.')
    process.exit(result.status ?? 1)
  }
  if (!existsSync(node)) {
    console.error(`npm ci did not bring ${node}. Are install scripts switched off (npm config get ignore-scripts)?`)
    process.exit(1)
  }
}

/** Commands of an operator install nothing and need no package of development; the packaged Node may be left out, too. */
function requireProduction() {
  if (!isInstalled((entry) => entry.dev || entry.optional || entry.devOptional)) {
    console.error('The packages of package-lock.json are not installed. Run npm ci --omit=dev.')
    process.exit(1)
  }
  if (!existsSync(node) && Number(process.versions.node.split('.')[0]) < oldestNode) {
    console.error(`Node ${oldestNode} or newer is needed; this is ${process.version}.`)
    process.exit(1)
  }
}

/** Compares the lock file with npm's own list of what it installed. */
function isInstalled(mayBeMissing) {
  const list = join(root, 'node_modules', '.package-lock.json')
  if (!existsSync(list)) return false
  const packagesOf = (file) => JSON.parse(readFileSync(file, 'utf8')).packages
  const there = packagesOf(list)
  return Object.entries(packagesOf(join(root, 'package-lock.json'))).every(
    ([path, entry]) => path === '' || (there[path] ? there[path].version === entry.version : mayBeMissing(entry)),
  )
}

/** Runs the script as a child that outlives a Ctrl-C just long enough to stop cleanly; exits with its code. */
function run(args) {
  const bin = [join(root, 'node_modules', 'node', 'bin'), join(root, 'node_modules', '.bin')]
  const child = spawn(existsSync(node) ? node : process.execPath, args, {
    cwd: root,
    // Out of the terminal's process group: Ctrl-C reaches this process alone, which passes it on once.
    detached: process.platform !== 'win32',
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: {
      ...process.env,
      PATH: [...bin, process.env.PATH].join(delimiter),
      // Keeps what TypeScript and modules were compiled to: a start takes little more than half of the processor time.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, '.cache', 'compiled'),
    },
  })
  let asked = 0
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // A terminal and npm may both pass the same Ctrl-C on; a later one really means it.
      const now = Date.now()
      if (asked && now - asked < 1_000) return
      if (asked) process.kill(-child.pid, 'SIGKILL')
      else child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal)
      asked = now
    })
  }
  // npm and its shell may be ended alone: then nobody could stop the child any more.
  const parent = process.ppid
  setInterval(() => {
    if (process.ppid !== parent) child.kill('SIGTERM')
  }, 1_000).unref()
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)))
}
