import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type RunningHapax, startHapax } from '#server/main.ts'
import { buildExtension, buildWebApart, canBuild } from './build-extension.ts'
import { root } from './root.ts'

/**
 * `npm start`: the whole main job on one machine, with sandbox platforms unless SANDBOX says otherwise. `--no-extension`
 * builds neither the extension nor the web app.
 */
const { values } = parseArgs({ options: { 'no-extension': { type: 'boolean' } } })
process.chdir(root)
process.env.SANDBOX ??= 'on'
const say = (line = '') => process.stdout.write(`${line}\n`)

const stopping = new AbortController()
const { signal } = stopping
let stoppedMs = 0
const stop = (why: string) => {
  if (!signal.aborted) {
    say(`\nStopping (${why}) …`)
    stoppedMs = performance.now()
    stopping.abort(new Error(why))
  } else if (performance.now() - stoppedMs > 1_000) {
    // Asked once more: what still runs is ended by force.
    process.exit(1)
  }
}
// Before anything is started, so that a stop at any moment ends what there is.
process.on('SIGINT', () => stop('Ctrl-C'))
process.on('SIGTERM', () => stop('asked to end'))
// The parent that passes signals on is gone: nobody could stop us cleanly any more.
process.on('disconnect', () => stop('the terminal is gone'))

const address = process.env.PUBLIC_URL ?? `http://127.0.0.1:${process.env.PORT ?? 8080}`
const logFile = join(process.env.DATA_DIR ?? '.data', 'hapax.log')
let builds: Promise<string | undefined> = Promise.resolve(undefined)
let hapax: RunningHapax | undefined
try {
  say('Starting Hapax …')
  hapax = await startHapax(process.env, {
    logFile,
    signal,
    onWait: (reason) => say(`Waiting: ${reason} …`),
    onClaimed: () => {
      if (!values['no-extension']) builds = buildClients()
    },
  })
  void hapax.failed.then((error) => {
    process.exitCode = 1
    say(`\n${error.message}`)
    stop('because of that')
  })
  const folder = await builds
  if (!signal.aborted) {
    sayWhere(hapax, folder)
    await once(signal, 'abort')
  }
} catch (error) {
  if (!signal.aborted) {
    process.exitCode = 1
    say(`\nHapax could not start: ${error instanceof Error ? error.message : String(error)}`)
    stopping.abort(error)
  }
}
await builds
await hapax?.close().catch((error: unknown) => {
  process.exitCode = 1
  say(`It did not stop cleanly: ${String(error)}`)
})
if (hapax || process.exitCode !== 1) say('Stopped. Your data is kept.')
process.exit(process.exitCode ?? 0)

/**
 * Builds the extension and the web app, and returns the extension's folder. Without them everything else works; what an
 * earlier start built is used where they cannot be built.
 */
async function buildClients(): Promise<string | undefined> {
  const built = join(root, 'extension', '.output')
  const folder = join(built, 'chrome-mv3')
  const earlier = (path: string) => (existsSync(path) ? 'the one of an earlier build is used' : 'it is missing')
  if (!(await canBuild())) {
    say(`\n${built} cannot be written. Extension: ${earlier(folder)}. Web app: ${earlier(join(built, 'web'))}.`)
    return existsSync(folder) ? folder : undefined
  }
  const failed = (what: string, path: string) => (error: Error) => {
    if (!signal.aborted) say(`\n${what} could not be built; ${earlier(path)}. Everything else works. ${error.message}`)
    return existsSync(path) ? path : undefined
  }
  const [extension] = await Promise.all([
    buildExtension('chrome', { server: address, zip: true, signal }).catch(failed('The extension', folder)),
    buildWebApart(signal).catch(failed('The web app', join(built, 'web'))),
  ])
  return extension
}

function sayWhere({ config, pages }: RunningHapax, folder: string | undefined): void {
  const { PUBLIC_URL, DATABASE_URL, DATA_DIR } = config
  say()
  say(`Hapax is running at ${PUBLIC_URL}/`)
  say(`  Start       ${PUBLIC_URL}/app/   create an account, connect a shop, see your inventory`)
  if (pages.length > 0) {
    say(`  Sandbox     ${PUBLIC_URL}/sandbox/   mails and texts`)
    say(`              ${pages.map(({ name, url }) => `${name.replace('Sandbox ', '')} ${url}`).join('  ')}`)
  }
  say(`  API         ${PUBLIC_URL}/docs`)
  if (folder) say(`  Extension   ${folder}   chrome://extensions, "Developer mode", "Load unpacked"`)
  say(`  Data        ${DATABASE_URL ? 'your DATABASE_URL' : DATA_DIR}, log ${resolve(logFile)}`)
  if (pages.length > 0)
    say('  Try         import a shop, list an item, press "Buy" at the sandbox: README.md goes through it')
  say('Ctrl-C stops everything.')
}
