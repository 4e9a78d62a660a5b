import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { listSettings } from '#server/config.ts'
import { openedIn } from '#server/infra/ways-in/testing/opened-in.ts'
import { type WayIn, waysIn } from '#server/infra/ways-in/ways-in.ts'
import { refusals as ebayRefusals } from '#server/integrations/ebay/refusals.ts'
import { refusals as etsyRefusals } from '#server/integrations/etsy/refusals.ts'
import { root } from './root.ts'

const [refusalsFrom, refusalsTo] = ['<!-- refusals: npm run settings -->\n', '<!-- end of refusals -->\n']
const [waysFrom, waysTo] = ['<!-- ways in: npm run settings -->\n', '<!-- end of ways in -->\n']

/** Variables that compose.yml reads from .env, which are no settings of Hapax. */
const composeVariables = [
  {
    name: 'DOMAIN',
    description: 'The host name of PUBLIC_URL, such as `hapax.example.com`: Caddy gets a certificate for it.',
  },
  {
    name: 'POSTGRES_PASSWORD',
    description:
      'The password of the database, before its first start; any signs (`openssl rand -base64 32`), in single quotes where it has a dollar sign.',
  },
  {
    name: 'SALE_MAIL_PUBLISHED',
    description: 'The port of this machine that takes sale mails: `25`, together with `SALE_MAIL_DOMAIN`.',
  },
  { name: 'BACKUPS_KEPT', description: 'How many daily dumps stay in `backups`. Default: 14.' },
]

/** Values that an installation begins with instead of the default: nobody registers on it uninvited. */
const shippedValues: Record<string, string> = { REGISTRATION: 'invited' }

/** Returns the files that are made from the settings and from the tables of refusals and ways in, as they should be. */
export function settingsFiles(): { path: string; text: string }[] {
  return [
    { path: '.env.example', text: example() },
    { path: 'docs/services.md', text: between('docs/services.md', refusalsFrom, refusals(), refusalsTo) },
    { path: 'docs/ways-in.md', text: between('docs/ways-in.md', waysFrom, waysInRows(), waysTo) },
  ]
}

/** Returns a page with the text between two of its lines replaced. */
function between(page: string, from: string, text: string, to: string): string {
  const [before, rest] = readFileSync(join(root, page), 'utf8').split(from)
  const [, after] = (rest ?? '').split(to)
  return `${before}${from}${text}${to}${after}`
}

function refusals(): string {
  const ebay = ebayRefusals.map(
    ({ api, codes, help }) => `| eBay ${api} | ${codes.join(', ') || 'by its words'} | ${help} |`,
  )
  const etsy = etsyRefusals.map(({ code, help }) => `| Etsy | ${code} | ${help} |`)
  return `\n| Service | Code | What helps |\n|---|---|---|\n${[...ebay, ...etsy].join('\n')}\n\n`
}

function waysInRows(): string {
  const rows = Object.entries<WayIn>(waysIn).map(([name, way]) => {
    const files = Object.keys(openedIn).filter((file) => (openedIn[file] as string[]).includes(name))
    const { lines, lineBytes, textBytes, parts, depth, pixels, allBytes, atOnce, kept } = way
    const cells = [
      `\`${name}\``,
      way.what,
      [
        size(way.bytes),
        lines && `${count(lines)} lines`,
        lineBytes && `${size(lineBytes)} a line`,
        textBytes && `${size(textBytes)} of lines`,
        parts && `${count(parts)} parts`,
        depth && `${depth} deep`,
        pixels && `${pixels / 1_000_000} million pixels`,
        allBytes && `${size(allBytes)} together`,
        kept && `${size(kept.bytes)} and ${count(kept.count)} a day kept of an account`,
      ]
        .filter(Boolean)
        .join(', '),
      `${way.giveUpMs / 1_000} s`,
      `${count(way.cpuMs)} ms${way.thread === 'main' ? '' : ', apart'}`,
      `${atOnce ? `${atOnce.all}, ${atOnce.each} for one ` : ''}${way.fair}`,
      way.left,
      way.logged,
      files.map((file) => `[${basename(file)}](../${file})`).join('<br>'),
    ]
    return `| ${cells.join(' | ')} |`
  })
  const head =
    '| Way | Bytes of | Largest | Time | Processor | At once, turns by | If the sender leaves, the work | In the log | Opened in |'
  return `\n${head}\n|${'---|'.repeat(9)}\n${rows.join('\n')}\n\n`
}

const count = (value: number) => value.toLocaleString('en')

function size(bytes: number): string {
  if (bytes === 0) return 'nothing is read'
  return bytes < 1_000_000 ? `${count(bytes / 1_000)} kB` : `${count(bytes / 1_000_000)} MB`
}

function example(): string {
  const compose = {
    topic: 'compose.yml alone',
    settings: composeVariables.map((one) => ({ ...one, default: null })),
  }
  const topics = [...listSettings(), compose].map(({ topic, settings }) => {
    const lines = settings.map(({ name, description, default: value }) => {
      const shipped = shippedValues[name]
      return `# ${description}\n${shipped ? `${name}=${shipped}` : `#${name}=${value ?? ''}`}`
    })
    return `## ${topic}\n\n${lines.join('\n')}\n`
  })
  return `# Settings of Hapax, written by \`npm run settings\`. Remove the # before a name to set it; values behind a # are the defaults.\n\n${topics.join('\n')}`
}

/** `npm run settings`: writes them. */
if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const { path, text } of settingsFiles()) writeFileSync(join(root, path), text)
}
