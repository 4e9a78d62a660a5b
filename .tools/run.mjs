// Runs a script of the project on the project's own Node, and says what is missing where it cannot.
// Plain JavaScript without dependencies: it is the first thing that runs on a fresh machine, on any Node >= 20.
//   --install     first installs what is missing: `npm start` and `npm test`, and nothing else
//   --production  needs no package of development
import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Runs TypeScript as it is. */
const oldestNode = 24
/** Runs this file, and npm. */
const oldestSystemNode = 20
const isWindows = process.platform === 'win32'
const node = join(root, 'node_modules', 'node', 'bin', isWindows ? 'node.exe' : 'node')
const systemNode = Number(process.versions.node.split('.')[0])
const noexec = `${root} is on a file system that forbids programs (the mount option noexec). Move Hapax to another, or mount it with exec.`

/** The end of an installation that is stopped. */
let stopped

if (systemNode < oldestSystemNode) fail(`Node ${oldestSystemNode} or newer is needed; this is ${process.version}.`)
const [first, ...rest] = process.argv.slice(2)
if (first === '--install') await install()
else if (first === '--production') requireProduction()
else requireDevelopment()
run(first?.startsWith('--') ? rest : [first, ...rest])

function fail(message) {
  console.error(message)
  process.exit(1)
}

/** Needs every package, and installs none: a server may be running on those that are there. */
function requireDevelopment() {
  if (existsSync(node) && isInstalled((entry) => entry.optional)) return
  fail(
    'This command needs the packages of development. Run npm ci first; where a server runs from this folder, in a copy of it.',
  )
}

/** Commands of an operator need no package of development; the packaged Node may be left out, too. */
function requireProduction() {
  if (!isInstalled((entry) => entry.dev || entry.optional || entry.devOptional)) {
    fail('The packages of package-lock.json are not installed. Run npm ci --omit=dev.')
  }
  if (!existsSync(node) && systemNode < oldestNode) {
    fail(`Node ${oldestNode} or newer is needed; this is ${process.version}.`)
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

/**
 * `npm ci`, unless the packages of the lock file are there already. HAPAX_INSTALL=off forbids it. Warnings are left out: the
 * system's Node may be older than some packages want, and only runs this file.
 */
async function install() {
  const isDone = () => existsSync(node) && isInstalled((entry) => entry.optional)
  if (isDone()) return
  if (process.env.HAPAX_INSTALL === 'off') {
    fail('The packages of package-lock.json are not installed, and HAPAX_INSTALL=off. Run npm ci.')
  }
  const running = findRunning()
  if (running) {
    fail(
      `The packages are not those of package-lock.json, and process ${running.pid} (${running.script}) runs from this folder. Stop it, then start again.`,
    )
  }
  refuseUnusableFolder()
  console.log(
    'Installing the packages of package-lock.json from the npm registry (npm ci): 1 GB here, 0.4 GB in the cache of npm.\n' +
      'That takes one to three minutes, and only the first time …',
  )
  for (let attempt = 1; ; attempt++) {
    const { code, said } = await npm([
      'ci',
      '--include=dev',
      '--include=optional',
      '--engine-strict=false',
      '--ignore-scripts',
    ])
    if (code === 0) await runAllowedScripts()
    if (code === 0 && isDone()) return
    // A fault of npm 10 on slow networks. The second try finds much in its cache.
    const isFaultOfNpm = /Exit handler never called/.test(said) || code === 0
    if (attempt === 1 && isFaultOfNpm) {
      console.error('npm ended without finishing. Trying once more …')
      continue
    }
    fail(`npm ci failed${attempt > 1 ? ' twice' : ''}; see its messages above. ${adviceOn(said, isFaultOfNpm)}`.trim())
  }
}

function adviceOn(said, isFaultOfNpm) {
  if (isFaultOfNpm)
    return `npm ${npmSays(['--version'])} is known for that on slow networks. A newer one helps: npm install -g npm@latest`
  if (/ENOSPC/.test(said)) return 'The disk is full: 1 GB is needed here and 0.4 GB in the cache of npm.'
  if (/EACCES|EPERM|EROFS/.test(said))
    return 'This user cannot write to this folder, or to the cache of npm (npm config get cache).'
  if (/ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|network/i.test(said)) {
    return `The registry ${npmSays(['config', 'get', 'registry'])} cannot be reached.`
  }
  return ''
}

/** Says before a long installation what would fail after it. */
function refuseUnusableFolder() {
  const probe = join(root, 'node_modules', `.probe-${process.pid}`)
  try {
    mkdirSync(join(root, 'node_modules'), { recursive: true })
    writeFileSync(probe, '#!/bin/sh\n')
    chmodSync(probe, 0o755)
  } catch (error) {
    fail(
      `The packages are not installed, and ${root} cannot be written (${error.code}). Run npm ci there as its owner.`,
    )
  }
  const { error } = isWindows ? {} : spawnSync(probe)
  rmSync(probe)
  if (error?.code === 'EACCES') fail(noexec)
}

/** Runs the install scripts of the packages that package.json allows, and of no other. npm 10 would run all. */
async function runAllowedScripts() {
  const { allowScripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const there = Object.keys(allowScripts).filter((name) => existsSync(join(root, 'node_modules', name)))
  await npm(['rebuild', '--ignore-scripts=false', ...there])
}

function npmSays(args) {
  return (
    spawnSync(isWindows ? 'npm.cmd' : 'npm', args, { cwd: root, shell: isWindows, encoding: 'utf8' }).stdout ?? ''
  ).trim()
}

/** Runs npm, says now and then that it is still at work, and ends it with this process. Returns what it said of errors. */
async function npm(args) {
  const startedMs = Date.now()
  const all = [...args, '--no-audit', '--no-fund', '--loglevel=error']
  // Before npm starts: a signal that comes right after it would end this process alone.
  const stops = ['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => [signal, () => void endWith(child)])
  for (const [signal, stop] of stops) process.on(signal, stop)
  const parent = process.ppid
  const child = spawn(isWindows ? 'npm.cmd' : 'npm', all, {
    cwd: root,
    // Out of the terminal's process group, so that it ends once, with its own children.
    detached: !isWindows,
    stdio: ['ignore', 'inherit', 'pipe'],
    shell: isWindows,
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    said += chunk
    process.stderr.write(chunk)
  })
  const telling = setInterval(() => console.log(`… ${Math.round((Date.now() - startedMs) / 1_000)} s`), 20_000)
  const orphaned = setInterval(() => {
    if (process.ppid !== parent) void endWith(child)
  }, 500)
  const code = await new Promise((done) => {
    child.on('error', (error) => {
      said += `npm cannot be run: ${error.message}`
      console.error(`npm cannot be run (${error.code}). Install it beside Node.`)
      done(1)
    })
    child.on('close', done)
  })
  clearInterval(telling)
  clearInterval(orphaned)
  for (const [signal, stop] of stops) process.off(signal, stop)
  if (stopped) await stopped
  return { code, said }
}

/** Ends npm with its children, by force where it does not end, and then this process. */
function endWith(child) {
  stopped ??= (async () => {
    const send = (how) => {
      try {
        if (isWindows) child.kill()
        else process.kill(-child.pid, how)
        return true
      } catch {
        return false
      }
    }
    send('SIGTERM')
    for (let waited = 0; waited < 5_000 && send(0); waited += 50) await delay(50)
    send('SIGKILL')
    console.log('\nStopped. The next start installs again.')
    process.exit(130)
  })()
  return stopped
}

/** Returns a process that runs a script of this folder, other than this one; none where the system does not tell. */
function findRunning() {
  const isOurs = (path) => [join(root, 'server/'), join(root, '.tools/')].some((folder) => path.startsWith(folder))
  for (const { pid, args, folder } of processes()) {
    const script = args.map((arg) => resolve(folder, arg)).find((path) => isOurs(path) && /\.(ts|mjs)$/.test(path))
    // Of two that begin to install at once, the later one gives way.
    if (script && pid !== process.pid && !(script.endsWith('run.mjs') && pid > process.pid)) {
      return { pid, script: script.slice(root.length) }
    }
  }
}

function processes() {
  if (isWindows) return []
  if (!existsSync('/proc/self/cmdline')) {
    const { stdout } = spawnSync('ps', ['-axww', '-o', 'pid=,command='], { encoding: 'utf8' })
    return (stdout ?? '').split('\n').map((line) => {
      const [pid, ...args] = line.trim().split(/\s+/)
      return { pid: Number(pid), args, folder: '/' }
    })
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const args = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0').filter(Boolean)
        return [{ pid: Number(name), args, folder: readlinkSync(`/proc/${name}/cwd`) }]
      } catch {
        // It has ended, or belongs to a user whose files this one could not replace.
        return []
      }
    })
}

/** Runs the script as a child that outlives a Ctrl-C just long enough to stop cleanly; exits with its code. */
function run([script, ...args]) {
  const bin = [join(root, 'node_modules', 'node', 'bin'), join(root, 'node_modules', '.bin')]
  const program = existsSync(node) ? node : process.execPath
  // Before the child starts: a signal that comes right after it would end this process alone.
  let asked = 0
  let askedMs = 0
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // A terminal and npm may both pass the same Ctrl-C on. A second one ends what still runs by force, a third all.
      if (asked > 0 && Date.now() - askedMs < 1_000) return
      askedMs = Date.now()
      asked++
      if (asked > 2) process.kill(-child.pid, 'SIGKILL')
      else child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal)
    })
  }
  const parent = process.ppid
  const child = spawn(program, [join(root, script), ...args], {
    cwd: root,
    // Out of the terminal's process group: Ctrl-C reaches this process alone, which passes it on once.
    detached: !isWindows,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: {
      ...process.env,
      PATH: [...bin, process.env.PATH].join(delimiter),
      // Keeps what TypeScript and modules were compiled to: a start takes little more than half of the processor time.
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? join(root, '.cache', 'compiled'),
    },
  })
  child.on('error', (error) => fail(error.code === 'EACCES' ? noexec : `${program} cannot be run (${error.code}).`))
  // npm and its shell may be ended alone: then nobody could stop the child any more.
  setInterval(() => {
    if (process.ppid !== parent) child.kill('SIGTERM')
  }, 1_000).unref()
  child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)))
}
