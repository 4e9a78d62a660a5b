import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startHapax } from '#server/main.ts'
import { buildExtension } from './build-extension.ts'
import { root } from './root.ts'

/** `npm start`: the whole main job on one machine, with sandbox platforms unless SANDBOX says otherwise. */
const { values } = parseArgs({ options: { 'no-extension': { type: 'boolean' } } })
process.chdir(root)
process.env.SANDBOX ??= 'on'
const say = (line = '') => process.stdout.write(`${line}\n`)

const stops: (() => Promise<void>)[] = []
let stopping: Promise<void> | undefined
const stop = (why: string) => {
  stopping ??= (async () => {
    say(`\nStopping (${why}) …`)
    for (const end of stops.reverse()) await end()
    say('Stopped. Your data is kept.')
  })().then(
    () => process.exit(process.exitCode ?? 0),
    (error: unknown) => {
      say(`It did not stop cleanly: ${String(error)}`)
      process.exit(1)
    },
  )
  return stopping
}
process.on('SIGINT', () => void stop('Ctrl-C'))
process.on('SIGTERM', () => void stop('asked to end'))
// The parent that passes signals on is gone: nobody could stop us cleanly any more.
process.on('disconnect', () => void stop('the terminal is gone'))

try {
  say('Starting Hapax …')
  const server = process.env.PUBLIC_URL ?? `http://127.0.0.1:${process.env.PORT ?? 8080}`
  const building = values['no-extension'] ? null : buildExtension('chrome', server, true)
  building?.catch(() => {})
  // Not imported above: a production install has no Vite.
  const buildingWeb = values['no-extension'] ? null : import('./build-web.ts').then(({ buildWeb }) => buildWeb())
  buildingWeb?.catch(() => {})
  const logFile = join(process.env.DATA_DIR ?? '.data', 'hapax.log')
  const hapax = await startHapax(process.env, { logFile, onWait: (reason) => say(`Waiting: ${reason} …`) })
  stops.push(() => hapax.close())
  void hapax.failed.then((error) => {
    process.exitCode = 1
    say(`\n${error.message}`)
    void stop('because of that')
  })
  if (stopping === undefined) {
    const { PUBLIC_URL, DATABASE_URL, DATA_DIR } = hapax.config
    const folder = await building?.catch((error: Error) => {
      say(`\nThe extension is not there, everything else is. ${error.message}`)
    })
    await buildingWeb?.catch((error: Error) => say(`\nThe web app is not there. ${error.message}`))
    say()
    say(`Hapax is running at ${PUBLIC_URL}/`)
    say(`  Start       ${PUBLIC_URL}/app/   create an account, connect a shop, see your inventory`)
    if (hapax.pages.length > 0) {
      say(`  Sandbox     ${PUBLIC_URL}/sandbox/   mails and texts`)
      say(`              ${hapax.pages.map(({ name, url }) => `${name.replace('Sandbox ', '')} ${url}`).join('  ')}`)
    }
    say(`  API         ${PUBLIC_URL}/docs`)
    if (folder) say(`  Extension   ${folder}   chrome://extensions, "Developer mode", "Load unpacked"`)
    say(`  Data        ${DATABASE_URL ? 'your DATABASE_URL' : DATA_DIR}, log ${resolve(logFile)}`)
    if (hapax.pages.length > 0)
      say('  Try         import a shop, list an item, press "Buy" at the sandbox: README.md goes through it')
    say('Ctrl-C stops everything.')
  }
} catch (error) {
  process.exitCode = 1
  say(`\nHapax could not start: ${error instanceof Error ? error.message : String(error)}`)
  await stop('because of that')
}
