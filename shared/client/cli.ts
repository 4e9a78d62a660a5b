#!/usr/bin/env node
import { createWriteStream } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { createHapax } from './client.ts'
import { HapaxError } from './error.ts'

const usage = `hapax: the inventory on the command line

  hapax login URL                 keeps the address and an API key, which is read from the standard input
  hapax logout                    forgets both
  hapax items [WORDS]             lists items; --state available|reserved|sold|withdrawn
  hapax item UID                  shows an item
  hapax imports                   lists imports, the newest first
  hapax export [FILE]             writes the inventory as CSV
  hapax import FILE               says what a CSV file would change; --yes does it; --currency USD
  hapax events                    prints events as they happen; --after SEQ
  hapax mcp                       serves tools for language models on the standard input and output

HAPAX_URL and HAPAX_KEY stand in for what login keeps. --json prints JSON.`

interface Account {
  url: string
  key: string
}

const kept = join(process.env.XDG_CONFIG_HOME ?? join(homedir(), '.config'), 'hapax', 'account.json')

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    state: { type: 'string' },
    currency: { type: 'string' },
    after: { type: 'string' },
    yes: { type: 'boolean' },
    json: { type: 'boolean' },
    help: { type: 'boolean' },
  },
})
const [command = 'help', ...given] = positionals

const commands: Record<string, () => Promise<void>> = {
  async login() {
    const [url] = given
    if (!url) throw new Error('hapax login URL')
    const key = process.env.HAPAX_KEY ?? (await text(process.stdin)).trim()
    await hapaxOf({ url, key }).call('listInventory', { query: { page_size: '1' } })
    await mkdir(dirname(kept), { recursive: true })
    await writeFile(kept, JSON.stringify({ url, key }), { mode: 0o600 })
    print(`Signed in at ${url}.`)
  },

  async logout() {
    await rm(kept, { force: true })
    print('Signed out. The key still works elsewhere until it is deleted.')
  },

  async items() {
    const q = given.join(' ') || undefined
    const query = { q, state: values.state as 'available' | undefined }
    for await (const item of hapaxOf(await account()).pages('listInventory', { query })) {
      const { uid, sku, record } = item
      if (values.json) print(JSON.stringify(item))
      else print([uid, sku ?? '-', record.lifecycle.state, record.title].join('\t'))
    }
  },

  async item() {
    const [uid] = given
    if (!uid) throw new Error('hapax item UID')
    print(JSON.stringify(await hapaxOf(await account()).call('getInventoryItem', { params: { uid } }), null, 2))
  },

  async imports() {
    for await (const job of hapaxOf(await account()).pages('listImportJobs')) {
      if (values.json) print(JSON.stringify(job))
      else print([job.id, job.marketplace, job.status, `${job.items_imported} imported`].join('\t'))
    }
  },

  async export() {
    const [file] = given
    const { body } = await hapaxOf(await account()).open('exportInventory', {})
    await pipeline(Readable.fromWeb(body as never), file ? createWriteStream(file) : process.stdout)
  },

  async import() {
    const [file] = given
    if (!file) throw new Error('hapax import FILE')
    const query = { dry_run: values.yes ? 'false' : 'true', currency: values.currency } as const
    const body = await readFile(file)
    const { results, ...counts } = await hapaxOf(await account()).call('importInventory', { query, body })
    if (values.json) return print(JSON.stringify({ results, ...counts }))
    for (const { row, title, errors } of results) {
      if (errors.length > 0)
        print(`row ${row}\t${title}\t${errors.map((one) => `${one.field} ${one.message}`.trim()).join('; ')}`)
    }
    const { created, updated, unchanged, failed, asked = 0 } = counts
    print(`${created} to add, ${updated} to change, ${unchanged} unchanged, ${failed} cannot be imported`)
    if (asked > 0) print(`${asked} not imported before you answer: choose the file in Hapax, under Files.`)
    print(values.yes ? 'Imported.' : 'Nothing was changed. Repeat with --yes to import.')
  },

  async events() {
    const { url, key } = await account()
    for (let last = values.after; ; ) {
      const headers = { 'x-api-key': key, ...(last ? { 'last-event-id': last } : {}) }
      const response = await fetch(`${url}/api/v1/events/stream/`, { headers })
      if (!response.ok) throw new HapaxError(response.status, await response.json().catch(() => null), null)
      try {
        for await (const line of createInterface({ input: Readable.fromWeb(response.body as never) })) {
          if (line.startsWith('id: ')) last = line.slice(4)
          if (line.startsWith('data: ')) print(line.slice(6))
        }
      } catch {
        // The connection broke. It goes on after the last event.
      }
      await new Promise((resolve) => setTimeout(resolve, 3_000))
    }
  },

  async mcp() {
    const { url, key } = await account()
    let version: string | undefined
    for await (const line of createInterface({ input: process.stdin })) {
      if (line.trim() === '') continue
      const message = JSON.parse(line)
      const named = message.params?._meta?.['io.modelcontextprotocol/protocolVersion'] ?? version
      const response = await fetch(`${url}/mcp`, {
        method: 'POST',
        headers: {
          'x-api-key': key,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...(named ? { 'mcp-protocol-version': named } : {}),
          ...(message.method ? { 'mcp-method': message.method } : {}),
          ...(message.params?.name ? { 'mcp-name': message.params.name } : {}),
        },
        body: line,
      })
      for (const answer of messagesOf(await response.text())) {
        version = JSON.parse(answer).result?.protocolVersion ?? version
        print(answer)
      }
    }
  },
}

/** Returns the JSON messages of an answer, which is JSON or a stream of events. */
function messagesOf(body: string): string[] {
  if (body.startsWith('{')) return [body]
  return body.split(/\r?\n/).flatMap((line) => (line.startsWith('data: {') ? [line.slice(6)] : []))
}

const print = (line: string) => void process.stdout.write(`${line}\n`)

const hapaxOf = ({ url, key }: Account) => createHapax({ baseUrl: url, apiKey: key })

async function account(): Promise<Account> {
  const { HAPAX_URL, HAPAX_KEY } = process.env
  if (HAPAX_URL && HAPAX_KEY) return { url: HAPAX_URL, key: HAPAX_KEY }
  try {
    return JSON.parse(await readFile(kept, 'utf8'))
  } catch {
    throw new Error('Sign in first: hapax login URL')
  }
}

const run = Object.hasOwn(commands, command) && !values.help ? commands[command] : undefined
if (!run) {
  print(usage)
  process.exitCode = command === 'help' || values.help ? 0 : 1
} else {
  await run().catch((error: unknown) => {
    const { message, errors = [] } = error as Error & { errors?: { field: string; message: string }[] }
    process.stderr.write(`${[message, ...errors.map((one) => `${one.field} ${one.message}`)].join('\n')}\n`)
    process.exitCode = 1
  })
}
