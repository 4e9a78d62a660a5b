import { glob, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { check } from 'recheck'
import { type ESTree, parseSync, Visitor } from 'vite'
import { root } from './root.ts'

/*
 * Fails if a regular expression of the product takes superlinear time on some input, since one request could then block
 * the server for minutes. Biome has no such rule, so recheck decides. Results are cached by pattern.
 */

export interface Pattern {
  source: string
  flags: string
  /** Path and line, for the message. */
  place: string
}

/** Counted in characters that are read, not in time, so that a busy machine gives the same verdict. */
const limits = { timeout: 600_000, attackTimeout: null, incubationTimeout: null, seedingTimeout: null, randomSeed: 0 }

/** Returns every regular expression of a file: literals, and `new RegExp` with its placeholders filled in. */
function patternsIn(text: string, path: string): Pattern[] {
  const { program, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  const found: Pattern[] = []
  const add = (source: string, flags: string, { start }: ESTree.Span) =>
    found.push({ source, flags, place: `${path}:${text.slice(0, start).split('\n').length}` })
  const construct = (node: ESTree.NewExpression | ESTree.CallExpression) => {
    if (node.callee.type !== 'Identifier' || node.callee.name !== 'RegExp') return
    const [pattern, flags] = node.arguments.map(constant)
    if (pattern === undefined) throw new Error(`${path}: the pattern of a RegExp must be a string or a template`)
    add(pattern, flags ?? '', node)
  }
  new Visitor({
    Literal(node) {
      if ('regex' in node) add(node.regex.pattern, node.regex.flags, node)
    },
    NewExpression: construct,
    CallExpression: construct,
  }).visit(program)
  return found
}

/** Returns the text of a string or template; a placeholder becomes one letter. */
function constant(node: ESTree.Argument): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type === 'TemplateLiteral') return node.quasis.map(({ value }) => value.cooked).join('x')
  return undefined
}

/** Returns why a pattern is refused; null if it takes linear time. */
async function findFault({ source, flags }: Pick<Pattern, 'source' | 'flags'>): Promise<string | null> {
  const result = await check(source, flags, limits)
  if (result.status === 'safe') return null
  if (result.status === 'unknown') return `could not be judged (${result.error.kind}); write it more simply`
  return `takes ${result.complexity.summary} time, for example on ${result.attack.pattern.slice(0, 100)}`
}

async function checkAll(): Promise<number> {
  const cacheFile = join(root, '.cache', 'safe-regexes.json')
  const version = createRequire(import.meta.url)('recheck/package.json').version as string
  const cached = await readFile(cacheFile, 'utf8').catch(() => '[]')
  const safe = new Set<string>(JSON.parse(cached))
  const kept = new Set<string>()
  const findings: string[] = []
  for await (const path of glob('{server,shared,extension}/**/*.{ts,tsx}', { cwd: root })) {
    if (/\.test\.tsx?$|\/testing\/|\/\.|\/fixtures\//.test(path)) continue
    for (const pattern of patternsIn(await readFile(join(root, path), 'utf8'), path)) {
      const key = `${version} /${pattern.source}/${pattern.flags}`
      const fault = safe.has(key) ? null : await findFault(pattern)
      if (fault) findings.push(`${pattern.place} /${pattern.source}/${pattern.flags} ${fault}`)
      else kept.add(key).has(key) && safe.add(key)
    }
  }
  await mkdir(dirname(cacheFile), { recursive: true })
  await writeFile(cacheFile, JSON.stringify([...kept], null, 1))
  for (const finding of findings) console.error(finding)
  console.log(`${kept.size} regular expressions are linear, ${findings.length} are not.`)
  return findings.length === 0 ? 0 : 1
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) process.exit(await checkAll())
