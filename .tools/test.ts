import type { StdioOptions } from 'node:child_process'
import { access, chmod, constants, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { installChromiumWherePossible } from './find-browser.ts'
import { memoryFolder } from './memory-folder.ts'
import { materialNotice } from './real-material.ts'
import { root } from './root.ts'
import { runTool } from './run-tool.ts'

/**
 * `npm test [file …]`: types, lint, format and regular expressions, beside all tests: unit and integration on a real
 * PostgreSQL, and the whole system in a real browser. Files restrict the tests. Goes on after a failure, so that one run
 * shows everything; the last line counts the real results.
 */
interface Count {
  passed: number
  failed: number
  skipped: number
}

/** Everything that tests leave in temporary folders goes at the end, however they end. */
const temporary = await mkdtemp(join(tmpdir(), 'hapax-tests-'))
const inMemory = await mkdtemp(join(memoryFolder(), 'hapax-tests-'))
// As root, PostgreSQL runs as the user postgres, who needs access to the data of tests.
if (process.getuid?.() === 0) await Promise.all([temporary, inMemory].map((folder) => chmod(folder, 0o755)))
/** Builds of tests lie there, too. */
const environment = { ...process.env, TMPDIR: temporary, TEMP: temporary, TMP: temporary, TESTS_IN_MEMORY: inMemory }

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
const skipped = new Map<string, number>()
/** Failures, repeated at the end, since logs may be long or truncated. */
const failures: string[] = []

try {
  await mkdir(cache, { recursive: true })
  await access(cache, constants.W_OK)
} catch (error) {
  say(
    `The tests cannot write to ${cache} (${(error as NodeJS.ErrnoException).code}). Run them as the owner of this folder.`,
  )
  await removeTemporary()
  process.exit(1)
}
installChromiumWherePossible()
const counts = (await Promise.all([checks(), vitest(process.argv.slice(2))])).flat()
if (signal.aborted) {
  await removeTemporary()
  process.exit()
}

const total = counts.reduce((sum, count) => ({
  passed: sum.passed + count.passed,
  failed: sum.failed + count.failed,
  skipped: sum.skipped + count.skipped,
}))
if (materialNotice) say(materialNotice)
if (total.skipped > 0) say(`\n${total.skipped} tests were skipped:`)
for (const [why, count] of skipped) say(`SKIPPED ${count}: ${why}`)
for (const failure of failures) say(`FAILED ${failure}`)
const summary = `${total.passed} passed, ${total.failed} failed`
await writeFile(join(cache, 'test-summary'), `${summary}\n`)
await removeTemporary()
say(summary)
process.exit(total.failed > 0 || total.passed === 0 ? 1 : 0)

/** The static checks, one after the other: they take a core from the tests for a minute. */
async function checks(): Promise<Count[]> {
  const commands: [name: string, command: string, args: string[]][] = [
    // Compiled once for all the servers and workers that tests start: those that are killed leave nothing for the next.
    ['compile the server', process.execPath, ['-e', "import('./server/main.ts')"]],
    ['types', bin('tsc'), ['-p', '.']],
    // WXT writes the types of its own globals; without them the extension's types cannot be checked.
    ['extension: prepare', bin('wxt'), ['prepare', 'extension']],
    ['types of the extension', bin('tsc'), ['-p', 'extension']],
    ['lint and format', bin('biome'), ['ci', '--config-path=.biome.json', '.']],
    ['regular expressions', process.execPath, ['.tools/check-regexes.ts']],
  ]
  const counts: Count[] = []
  for (const [name, command, args] of commands) {
    if (signal.aborted) break
    counts.push(await check(name, command, args))
  }
  return counts
}

/** A command that passes or fails as a whole. Its output is shown in one piece, and only if it fails. */
async function check(name: string, command: string, args: string[]): Promise<Count> {
  let said = ''
  const code = await run(command, args, (chunk) => (said += chunk))
  if (signal.aborted) return { passed: 0, failed: 0, skipped: 0 }
  say(`── ${name}: ${code === 0 ? 'ok' : `FAILED (exit code ${code})\n${said}`}`)
  if (code === 0) return { passed: 1, failed: 0, skipped: 0 }
  failures.push(`${name}: exit code ${code}\n${beginning(said)}`)
  return { passed: 0, failed: 1, skipped: 0 }
}

/** All tests, counted from Vitest's own report; a run that leaves no report is one failure. */
async function vitest(files: string[]): Promise<Count> {
  const report = join(cache, 'vitest.json')
  await rm(report, { force: true })
  const code = await run(bin('vitest'), [
    'run',
    // Loaded as it is: a bundle of it would be written into the packages, which may belong to another user.
    ...['--config', '.tools/vitest.config.ts', '--configLoader', 'native'],
    ...['--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    ...files,
  ])
  if (signal.aborted) return { passed: 0, failed: 0, skipped: 0 }
  try {
    const result: Report = JSON.parse(await readFile(report, 'utf8'))
    const { numPassedTests, numPendingTests, numTodoTests } = result
    const found = failuresOf(result)
    failures.push(...found)
    if (code !== 0 && found.length === 0) {
      failures.push(`vitest ended with ${code}; no test failed, see above for an unhandled error`)
    }
    const failed = Math.max(found.length, code === 0 ? 0 : 1)
    countSkipped(result)
    return { passed: numPassedTests, failed, skipped: numPendingTests + numTodoTests }
  } catch (error) {
    failures.push(`the tests: no report (${String(error)})`)
    return { passed: 0, failed: 1, skipped: 0 }
  }
}

interface Report {
  numPassedTests: number
  numPendingTests: number
  numTodoTests: number
  testResults: {
    name: string
    status: string
    message: string
    assertionResults: {
      status: string
      fullName: string
      failureMessages: string[]
      meta: { skipped?: string }
    }[]
  }[]
}

/** Counts skipped tests by why, or by their file where they do not say. */
function countSkipped(report: Report): void {
  for (const { name, assertionResults } of report.testResults) {
    for (const { meta } of assertionResults.filter(({ status }) => !/^(passed|failed)$/.test(status))) {
      const why = meta.skipped ?? relative(root, name)
      skipped.set(why, (skipped.get(why) ?? 0) + 1)
    }
  }
}

/** Returns the failed tests and the files that did not load, each with the first lines of its error. */
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

/** Runs a tool, with its output on this one's unless something collects it. Returns its exit code; 1 if it cannot be run. */
function run(command: string, args: string[], onOutput?: (chunk: string) => void): Promise<number> {
  const stdio: StdioOptions = onOutput ? ['ignore', 'pipe', 'pipe'] : ['ignore', 'inherit', 'inherit']
  const shell = process.platform === 'win32'
  return runTool(command, args, { env: environment, stdio, shell, signal, onOutput }).catch((error: Error) => {
    ;(onOutput ?? say)(error.message)
    return 1
  })
}

async function removeTemporary(): Promise<void> {
  for (const folder of [temporary, inMemory]) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}
