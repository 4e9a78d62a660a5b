import { readFile, writeFile } from 'node:fs/promises'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { type ApiName, apiNames } from '../documents/calls.ts'
import { type Change, compareDocuments } from '../documents/compare.ts'
import { fileOf, keptOf, readKept, readKeptTrading, readSent } from '../documents/keep.ts'
import { compareTrading, keptTradingOf } from '../documents/trading.ts'

const usage = `Say which document, and where a newer one is:
  npm run lab -- documents --document etsy --file newer.json
  npm run lab -- documents --document ebay-account --url https://developer.ebay.com/...
After the adapter follows it, --keep "where it is from" keeps the newer one.
Documents: ${apiNames.join(', ')}, and ebay-trading (eBaySvc.xsd or its WSDL)`

const maxBytes = 20_000_000

export interface Outcome {
  lines: string[]
  /** 0 if no used part has changed, 1 if one has, 2 if nothing could be compared. */
  exitCode: 0 | 1 | 2
}

/** Compares a newer document with the kept one, or keeps it. */
export async function checkDocuments(args: string[]): Promise<Outcome> {
  const { values } = parseArgs({
    args,
    options: {
      document: { type: 'string' },
      file: { type: 'string' },
      url: { type: 'string' },
      keep: { type: 'string' },
    },
  })
  const name = ([...apiNames, trading] as const).find((one) => one === values.document)
  if (!name || (values.file === undefined) === (values.url === undefined)) return { lines: [usage], exitCode: 2 }
  const text = values.url === undefined ? await readFile(values.file!, 'utf8') : await download(values.url)
  const { version, changes, newer } =
    name === trading ? compareXml(text, values.keep) : compareJson(name, text, values.keep)
  if (values.keep !== undefined) {
    await writeFile(fileOf(name), `${JSON.stringify(newer)}\n`)
    return { lines: [`${name} is kept as version ${newer.version}, from ${newer.source}.`], exitCode: 0 }
  }
  const used = changes.filter((change) => change.used)
  const others = changes.filter((change) => !change.used)
  return {
    lines: [
      ...used.map(({ line }) => `used   ${line}`),
      ...others.map(({ line }) => `other  ${line}`),
      `${name}: version ${version} is kept, ${newer.version} was compared: ${used.length} changes of what is used, ${others.length} others.`,
    ],
    exitCode: used.length > 0 ? 1 : 0,
  }
}

const trading = 'ebay-trading' as const

interface Compared {
  /** Version of the kept document. */
  version: string
  changes: Change[]
  newer: { source: string; version: string }
}

/** Compares a document, unless it is to be kept: then there may be no earlier one. */
function compareJson(name: ApiName, text: string, source: string | undefined): Compared {
  const newer = keptOf(name, parse(text), source ?? '')
  if (source !== undefined) return { version: '', changes: [], newer }
  const kept = readKept(name)
  return { version: kept.version, changes: compareDocuments(name, kept, newer, readSent()), newer }
}

function compareXml(text: string, source: string | undefined): Compared {
  const version = /<!--\s*Version\s+(\d+)/i.exec(text)?.[1] ?? 'unknown'
  const newer = keptTradingOf(text, { source: source ?? '', version }, readSent())
  if (source !== undefined) return { version: '', changes: [], newer }
  const kept = readKeptTrading()
  return { version: kept.version, changes: compareTrading(kept, newer, readSent()), newer }
}

async function download(url: string): Promise<string> {
  const response = await fetch(url, { headers: { accept: 'application/json' }, signal: AbortSignal.timeout(60_000) })
  if (!response.ok) throw new Error(`The document's address answered HTTP ${response.status}.`)
  const text = await response.text()
  if (text.length > maxBytes) throw new Error(`The document has more than ${maxBytes} characters.`)
  return text
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new Error('The document is no JSON.', { cause })
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  checkDocuments(process.argv.slice(2)).then(
    ({ lines, exitCode }) => {
      process.stdout.write(`${lines.join('\n')}\n`)
      process.exitCode = exitCode
    },
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
      process.exitCode = 2
    },
  )
}
