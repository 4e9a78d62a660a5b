import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { apiOf } from '#e2e/harness/api.ts'
import { createTestDatabase } from '#e2e/harness/database/database.ts'
import { documentedCommands } from '#e2e/harness/documented-commands.ts'
import { freePorts } from '#e2e/harness/free-ports.ts'
import { goodPassword, someEmail } from '#e2e/harness/register.ts'
import { testSecretKey } from '#e2e/harness/server-process.ts'

const text = (path: string) => readFileSync(path, 'utf8')
const blocks = documentedCommands()
const code = blocks.map((block) => block.code).join('\n')
const of = (heading: string, language = 'sh') =>
  blocks.filter((block) => block.heading === heading && block.language === language).map((block) => block.code)

/** `npm run lab -- install` installs with npm and builds, which takes minutes; otherwise this folder's packages are linked. */
const installs = process.env.INSTALL === '1'

/** The machine's own settings of npm, certificates and proxies, without which npm may not reach the registry. */
function wayToRegistry(): Record<string, string | undefined> {
  const names =
    /^(NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR)|NPM_CONFIG_(USERCONFIG|GLOBALCONFIG|REGISTRY|CAFILE)|(HTTPS?|NO)_PROXY)$/i
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => names.test(name)))
}

describe('the commands of docs/own-server.md', () => {
  it('are shell that parses', () => {
    for (const block of blocks.filter(({ language }) => language !== 'text')) {
      const { status, stderr } = spawnSync('bash', ['-n'], { input: block.code, encoding: 'utf8' })
      expect({ block, status, stderr }).toMatchObject({ status: 0, stderr: '' })
    }
  })

  it('name services of compose.yml and files of a release', () => {
    const { services } = parse(text('compose.yml'), { merge: true })
    const called = [...code.matchAll(/docker compose (?:exec|run|up)((?: --?[a-zA-Z-]+)*) ([a-z]+)/g)].map(
      ([, , name]) => name!,
    )
    expect(called.length).toBeGreaterThan(5)
    expect(called.filter((name) => !(name in services))).toEqual([])
    const files = [...code.matchAll(/\/opt\/hapax\/(\S+)/g)].map(([, path]) => path!)
    expect(files.length).toBeGreaterThan(2)
    expect(files.filter((path) => !existsSync(path))).toEqual([])
  })
})

describe('the systemd units', () => {
  const isThere = spawnSync('systemd-analyze', ['--version']).status === 0

  it.skipIf(!isThere)(`are what systemd takes${isThere ? '' : ' (skipped: systemd is not installed)'}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'hapax-units-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    for (const name of ['hapax@.service', 'hapax-migrate.service']) {
      const node = '/opt/hapax/node_modules/node/bin/node'
      expect(text(`ops/systemd/${name}`)).toContain(`ExecStart=${node} `)
      writeFileSync(join(folder, name), text(`ops/systemd/${name}`).replaceAll(node, process.execPath))
      const { stderr } = spawnSync('systemd-analyze', ['verify', join(folder, name)], { encoding: 'utf8' })
      expect(stderr.split('\n').filter((line) => line.includes('hapax'))).toEqual([])
    }
  })

  it('run files that exist, one after the other', () => {
    const [unit, migrate] = [text('ops/systemd/hapax@.service'), text('ops/systemd/hapax-migrate.service')]
    for (const one of [unit, migrate]) expect(existsSync(/^ExecStart=\S+ (\S+)$/m.exec(one)?.[1] ?? '')).toBe(true)
    expect(unit).toMatch(/^After=.*\bhapax-migrate\.service/m)
  })
})

describe('an installation from the source, as the page says', () => {
  it('is upgraded with its data while it serves, and taken back', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hapax-install-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const database = await createTestDatabase({ checked: false })
    onTestFinished(() => database.drop())
    const clone = join(folder, 'clone')
    execFileSync('git', ['clone', '--quiet', repositoryOfThis(folder), clone])
    const newest = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: clone, encoding: 'utf8' }).trim()
    const port = await freePorts(1)
    const prefix = join(folder, 'opt')
    const environment = {
      ...wayToRegistry(),
      ...{ PATH: process.env.PATH, HOME: process.env.HOME, PREFIX: prefix, HAPAX_INSTALL: 'off' },
      ...{ DATABASE_URL: database.url, SECRET_KEY: testSecretKey, PORT: String(port), LOG_LEVEL: 'warn' },
    }
    if (!installs) environment.PATH = `${linkingNpm(folder)}${delimiter}${environment.PATH}`
    const [make, start] = of('From the source')
    const [upgrade] = of('Upgrades')
    const run = (script: string) =>
      execFileSync('bash', ['-euo', 'pipefail', '-c', script], {
        ...{ cwd: clone, env: environment },
        stdio: ['ignore', 'ignore', 'inherit'],
      })
    const serve = (script: string) => startServer(script, clone, environment, `http://127.0.0.1:${port}`)

    // The release before this one, where the laboratory names it.
    execFileSync('git', ['checkout', '--quiet', process.env.UPGRADE_FROM ?? 'HEAD'], { cwd: clone })
    const first = await serve(`${make}\n${start}`)
    const api = apiOf(`http://127.0.0.1:${port}`)
    const { body } = await api('POST', '/api/auth/register/email/', {
      body: { email: someEmail(), password: goodPassword, password_confirm: goodPassword },
    })
    const headers = { authorization: `Bearer ${body.token}` }
    const { body: made } = await api('POST', '/api/v1/api-keys/', {
      headers,
      body: { name: 'upgrade', scopes: ['inventory:read', 'inventory:write'] },
    })
    const key = { 'x-api-key': made.key as string }
    const add = async (title: string) => {
      const images = ['https://pictures.example/1.jpg']
      const offer = { price_minor: 8_500, currency: 'USD' }
      const item = { title, images, condition: { label: 'Good' }, offer }
      expect((await api('POST', '/api/v1/inventory/', { headers: key, body: item })).status).toBe(201)
    }
    const titles = async () => {
      const { results } = (await api('GET', '/api/v1/inventory/', { headers: key })).body
      return results.map((one: { record: { title: string } }) => one.record.title).sort()
    }
    await add('Before the upgrade')
    const get = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status
    const paths = ['/app/', '/docs/swagger-ui.css', '/extension/hapax-chrome.zip', '/extension/hapax-firefox.zip']
    for (const path of paths) expect([path, await get(path)]).toEqual([path, 200])
    expect(await (await fetch(`http://127.0.0.1:${port}/readyz`)).json()).toEqual({ status: 'ready' })
    expect(first.log()).not.toContain('not built')

    const before = readlinkSync(join(prefix, 'hapax'))
    execFileSync('git', ['checkout', '--quiet', newest], { cwd: clone })
    execFileSync('git', [...author, 'commit', '--quiet', '--allow-empty', '--message', 'Next'], { cwd: clone })
    run(`${make}\n${upgrade}`)
    const after = readlinkSync(join(prefix, 'hapax'))
    expect(after).not.toBe(before)
    // The server of the old release goes on, and reads its own files.
    for (const path of paths) expect([path, await get(path)]).toEqual([path, 200])
    await add('During the upgrade')
    await first.end()
    const second = await serve(`cd "$PREFIX/hapax"\nnpm run serve`)
    expect(await get('/app/')).toBe(200)
    expect(await titles()).toEqual(['Before the upgrade', 'During the upgrade'])
    await add('After the upgrade')
    await second.end()
    // And back: the older release still fits the database.
    run(`ln -sfn ${basename(before)} "$PREFIX/hapax"`)
    const third = await serve(`cd "$PREFIX/hapax"\nnpm run serve`)
    expect(await get('/app/')).toBe(200)
    await add('Gone back')
    expect(await titles()).toEqual(['After the upgrade', 'Before the upgrade', 'During the upgrade', 'Gone back'])
    await third.end()
  }, 1_800_000)
})

const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com']

/** Returns this folder, or a repository with its files where it is an unpacked release and so has none. */
function repositoryOfThis(folder: string): string {
  if (existsSync('.git')) return process.cwd()
  const made = join(folder, 'git')
  const inMade = ['--git-dir', made, '--work-tree', process.cwd()]
  execFileSync('git', ['init', '--quiet', '--bare', made])
  execFileSync('git', [...inMade, 'add', '--all'])
  execFileSync('git', [...inMade, ...author, 'commit', '--quiet', '--message', 'This'])
  return made
}

/**
 * Returns a folder with an `npm` that links this folder's packages, and writes empty files where a build puts its own. The
 * build itself is tried by container.test.ts. Every other command is npm's.
 */
function linkingNpm(folder: string): string {
  const bin = join(folder, 'bin')
  const npm = execFileSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).trim()
  const script = `#!/bin/sh
case "$*" in
  ci) exec ln -s "${process.cwd()}/node_modules" node_modules ;;
  "prune --omit=dev") exit 0 ;;
  "run build")
    cd extension && mkdir -p .output/web .output/reference && cd .output
    touch web/index.html reference/swagger-ui.css reference/swagger-ui.css.br hapax-chrome.zip hapax-firefox.zip ;;
  # Through the link npm would empty the packages of this folder.
  ci*|install*|prune*) echo "npm $* is not expected" >&2; exit 1 ;;
  *) exec "${npm}" "$@" ;;
esac
`
  mkdirSync(bin)
  writeFileSync(join(bin, 'npm'), script, { mode: 0o755 })
  return bin
}

/** Runs a script whose last command serves, and waits until it is ready. */
async function startServer(
  script: string,
  cwd: string,
  env: Record<string, string | undefined>,
  url: string,
): Promise<{ log(): string; end(): Promise<void> }> {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    ...{ cwd, env, detached: true },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (some) => (log += some))
  onTestFinished(() => end(child))
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the script ended with ${child.exitCode}:\n${log}`)
    if (
      await fetch(`${url}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      break
    await pause(200)
  }
  return { log: () => log, end: () => end(child) }
}

/** Ends a script with everything that it started, as a service manager does. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'close')
  process.kill(-(child.pid ?? 0), 'SIGTERM')
  await ended
}
