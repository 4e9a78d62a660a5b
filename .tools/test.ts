import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { buildExtension, buildWebApart } from './build-extension.ts'
import { installChromiumWherePossible } from './find-browser.ts'
import { root } from './root.ts'
import { runTool } from './run-tool.ts'

/**
 * `npm test`: types, lint and format, unit and integration on a real PostgreSQL, the extension's builds, and the
 * browser tests. Goes on after a failure, so that one run shows everything; the last line counts the real results.
 */
interface Count {
  passed: number
  failed: number
  skipped: number
}

/** Everything that tests leave in the temporary folder goes at the end, however they end. */
const temporary = await mkdtemp(join(tmpdir(), 'hapax-tests-'))
// As root, PostgreSQL runs as the user postgres, who needs access to the data of tests.
if (process.getuid?.() === 0) await chmod(temporary, 0o755)
/** Builds set NODE_ENV to production in this process; tests must not inherit that. */
const environment = { ...process.env, TMPDIR: temporary, TEMP: temporary, TMP: temporary }

const stopping = new AbortController()
const { signal } = stopping
const stop = (code: number) => () => {
  if (!signal.aborted) say('\nStopping …')
  process.exitCode = code
  stopping.abort(new Error('the tests were stopped'))
}
process.on('SIGINT', stop(130))
process.on('SIGTERM', stop(143))
process.on('disconnect', stop(143))

const cache = join(root, '.cache')
const say = (line: string) => process.stdout.write(`${line}\n`)
const bin = (name: string) => join(root, 'node_modules', '.bin', name)
const counts: Count[] = []
/** Failures, repeated at the end, since logs may be long or truncated. */
const failures: string[] = []

await mkdir(cache, { recursive: true })
counts.push(await check('types', bin('tsc'), ['-p', '.']))
// WXT writes the types of its own globals; without them the extension's types cannot be checked.
counts.push(await check('extension: prepare', bin('wxt'), ['prepare', 'extension']))
counts.push(await check('types of the extension', bin('tsc'), ['-p', 'extension']))
counts.push(await check('lint and format', bin('biome'), ['ci', '--config-path=.biome.json', '.']))
counts.push(await check('regular expressions', process.execPath, ['.tools/check-regexes.ts']))
// Compiled once for all the servers and workers that tests start: those that are killed leave nothing for the next.
counts.push(await check('compile the server', process.execPath, ['-e', "import('./server/main.ts')"]))
counts.push(await vitest(['server', 'extension']))
for (const browser of ['chrome', 'firefox'] as const) {
  counts.push(await attempt(`build the extension for ${browser}`, () => buildExtension(browser, { signal })))
}
counts.push(await attempt('build the web app', () => buildWebApart(signal)))
installChromiumWherePossible()
counts.push(await vitest(['browser', 'build']))

const total = counts.reduce((sum, count) => ({
  passed: sum.passed + count.passed,
  failed: sum.failed + count.failed,
  skipped: sum.skipped + count.skipped,
}))
if (total.skipped > 0) say(`${total.skipped} tests were skipped (see above why).`)
for (const failure of failures) say(`FAILED ${failure}`)
const summary = `${total.passed} passed, ${total.failed} failed`
await writeFile(join(cache, 'test-summary'), `${summary}\n`)
await removeTemporary()
say(summary)
process.exit(total.failed > 0 || total.passed === 0 ? 1 : 0)

/** A command that passes or fails as a whole. */
async function check(name: string, command: string, args: string[]): Promise<Count> {
  return attempt(name, async () => {
    const code = await run(command, args)
    if (code !== 0) throw new Error(`exit code ${code}`)
  })
}

async function attempt(name: string, work: () => Promise<unknown>): Promise<Count> {
  await endIfStopped()
  say(`\n── ${name}`)
  try {
    await work()
    say(`   ok`)
    return { passed: 1, failed: 0, skipped: 0 }
  } catch (error) {
    await endIfStopped()
    const reason = error instanceof Error ? error.message : String(error)
    say(`   FAILED: ${reason}`)
    failures.push(`${name}: ${reason}`)
    return { passed: 0, failed: 1, skipped: 0 }
  }
}

/** Vitest projects, counted from its own report; a run that leaves no report is one failure. */
async function vitest(projects: string[]): Promise<Count> {
  const report = join(cache, `vitest-${projects.join('-')}.json`)
  await endIfStopped()
  await rm(report, { force: true })
  say(`\n── tests: ${projects.join(', ')}`)
  const code = await run(bin('vitest'), [
    'run',
    '--config',
    '.tools/vitest.config.ts',
    ...projects.flatMap((project) => ['--project', project]),
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ])
  await endIfStopped()
  try {
    const result = JSON.parse(await readFile(report, 'utf8'))
    const { numPassedTests: passed, numFailedTests, numPendingTests, numTodoTests } = result
    // A suite that does not even load has no failed test of its own, and still is a failure.
    const failed = Math.max(numFailedTests, code === 0 ? 0 : 1)
    failures.push(...failuresOf(result))
    if (failed > numFailedTests) {
      failures.push(
        `${projects.join(', ')}: vitest ended with ${code}; no test failed, see above for an unhandled error`,
      )
    }
    return { passed, failed, skipped: (numPendingTests ?? 0) + (numTodoTests ?? 0) }
  } catch (error) {
    say(`   no report: ${String(error)}`)
    failures.push(`${projects.join(', ')}: no report (${String(error)})`)
    return { passed: 0, failed: 1, skipped: 0 }
  }
}

interface Report {
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: { status: string; fullName: string; failureMessages: string[] }[]
  }[]
}

/** Each failed test, and each file that did not load, with the beginning of why. */
function failuresOf(report: Report): string[] {
  return report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name)
    const failed = assertionResults
      .filter((test) => test.status === 'failed')
      .map((test) => `${file} > ${test.fullName}\n${beginning(test.failureMessages.join('\n'))}`)
    return failed.length === 0 && status === 'failed' ? [`${file}\n${beginning(message)}`] : failed
  })
}

function beginning(text: string): string {
  const lines = text.split('\n').slice(0, 12)
  return lines.map((line) => `    ${line.slice(0, 300)}`).join('\n')
}

function run(command: string, args: string[]): Promise<number> {
  return runTool(command, args, {
    env: environment,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
    signal,
  })
}

/** Ends this process if it was asked to stop, after the tool that ran has ended. */
async function endIfStopped(): Promise<void> {
  if (!signal.aborted) return
  await removeTemporary()
  process.exit()
}

async function removeTemporary(): Promise<void> {
  await rm(temporary, { recursive: true, force: true, maxRetries: 5 })
}
