import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const security = readFileSync('docs/security.md', 'utf8')

/** Packages of production that read only what the server or its operator wrote, or what others checked. */
const harmless = [
  '@koa/cors',
  '@koa/router',
  '@node-rs/argon2',
  '@opentelemetry/api',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
  '@opentelemetry/sdk-trace',
  '@zxcvbn-ts/language-common',
  'aws4fetch',
  'country-to-currency',
  'ipaddr.js',
  'koa-compress',
  'light-my-request',
  'nanoid',
  'node',
  'nodemailer',
  'otpauth',
  'pg-boss',
  'pg-promise',
  'pino',
  'piscina',
  'postgrator',
  'prom-client',
  'rate-limiter-flexible',
  'standardwebhooks',
  'web-push',
  'zod',
  'zod-openapi',
]
/** Packages that are no dependency of the server itself: built into `shared/` and the extension. */
const bundled = ['cheerio']

/** The server's own code: without tests and stand-ins. */
const code = globSync('server/**/*.ts')
  .filter((path) => !/\.test\.ts$|\/testing\/|^server\/sandbox\//.test(path))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }))
const filesWith = (pattern: RegExp) => code.filter(({ text }) => pattern.test(text)).map(({ path }) => path)

/** Returns the first cells of the table below a header row. */
function firstCells(header: string): string[] {
  const [, rows = ''] = security.split(`| ${header} |`)
  return [...rows.split('\n\n')[0]!.matchAll(/^\| ([^|]+) \|/gm)].map(([, cell]) => cell!)
}
const quoted = (cells: string[]) => cells.map((cell) => cell.replaceAll('`', ''))

describe('docs/security.md names', () => {
  it('every cookie that the server sets', () => {
    const set = code.flatMap(({ text }) =>
      /Set-Cookie|writeCookie\(/.test(text) ? [...text.matchAll(/'(hapax-[a-z]+)'/g)] : [],
    )
    const names = new Set(set.map(([, name]) => name!))
    expect([...names].sort()).toEqual(quoted(firstCells('Cookie')).sort())
  })

  it('every place that requests addresses of sellers', () => {
    const [, table = ''] = security.split('| Addresses of sellers |')
    const named = [...table.split('\n\n')[0]!.matchAll(/`(server\/[\w/.-]+)`/g)].map(([, path]) => path!)
    expect(filesWith(/from '\S*safe-request\.ts'/).sort()).toEqual(named.sort())
  })

  it('every folder that uses cryptography', () => {
    // Anything but random names.
    const own = /import \{(?! randomUUID \})[^}]*\} from 'node:crypto'|crypto\.subtle/
    const packages =
      /from '(jose|otpauth|@simplewebauthn\/server|web-push|@node-rs\/argon2|aws4fetch|standardwebhooks|stripe|mailauth(?:\/[^']*)?)'/
    const folders = quoted(firstCells('Where'))
    const users = new Set([...filesWith(own), ...filesWith(packages)])
    expect([...users].filter((path) => !folders.some((folder) => path.startsWith(folder)))).toEqual([])
    expect(folders.filter((folder) => ![...users].some((path) => path.startsWith(folder)))).toEqual([])
  })

  it('every picture format that is read', () => {
    const text = readFileSync('server/http/outbound/picture-type.ts', 'utf8')
    const formats = [...text.matchAll(/'image\/(\w+)'/g)].map(([, format]) => format!)
    const [, pictures = ''] = security.split('## Pictures')
    const named = pictures.split('\n## ')[0]!.toLowerCase()
    expect(formats.length).toBeGreaterThan(5)
    expect(formats.filter((format) => !named.includes(format))).toEqual([])
  })

  it('every file type that the API takes', () => {
    const types = globSync('shared/contract/*.ts').flatMap((path) => [
      ...readFileSync(path, 'utf8').matchAll(/'((?:text\/csv|image\/[\w+-]+))'/g),
    ])
    const words: Record<string, string> = {
      'text/csv': 'CSV',
      'image/jpeg': 'JPEG',
      'image/png': 'PNG',
      'image/webp': 'WebP',
      'image/avif': 'AVIF',
    }
    const unknown = [...new Set(types.map(([, type]) => type!))].filter(
      (type) => !(type in words) || !security.includes(words[type]!),
    )
    expect(unknown).toEqual([])
  })

  it('each kind of costly work', () => {
    const [, work = ''] = security.split('## Costly work')
    const named = ['Password hashing', 'Decoding pictures', 'Copying photos', 'Web push', 'Webhooks', 'MCP', 'Answers']
    expect(named.filter((kind) => !work.split('\n## ')[0]!.includes(`| ${kind}`))).toEqual([])
  })

  it('each package that reads hostile data', () => {
    const [, named = ''] = /^Packages that read hostile data: (.*?)\(everything\)/ms.exec(security) ?? []
    const reading = [...named.matchAll(/`(@?[\w./-]+)`/g)].map(([, name]) => name!).filter((name) => name[0] !== '/')
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: object }
    const others = Object.keys(dependencies).filter((name) => !reading.includes(name))
    expect(others.sort()).toEqual(harmless)
    expect(reading.filter((name) => !(name in dependencies) && !bundled.includes(name))).toEqual([])
  })
})

describe('the ASVS table', () => {
  const asvs = globSync('docs/asvs/v*.md')
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')

  it('names each file that serves files', () => {
    const [, row = ''] = /^(\| V13\.4\.1 .*)$/m.exec(asvs) ?? []
    const serving = filesWith(/router\.get\('\/(app\/\{|images\/)|router\.get\(`\/assets/)
    expect(serving.filter((path) => !row.includes(path))).toEqual([])
    // No package that serves whole folders.
    expect(filesWith(/from '(koa-static|koa-send|serve-static|koa-mount)'/)).toEqual([])
  })
})
