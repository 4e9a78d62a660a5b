import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { installPackedClient, type PackedClient } from '#e2e/harness/packed-client.ts'
import { until } from '#e2e/harness/until.ts'
import { useListingHarness } from '#server/selling/listings/testing/harness.ts'

/** The client as a stranger has it: packed, installed in an empty folder, without this project's packages and types. */
const run = promisify(execFile)
const harness = useListingHarness({ SANDBOX: 'on' })
const root = new URL('..', import.meta.url).pathname
let client: PackedClient
let folder: string
let running: ChildProcess | null = null

beforeAll(async () => {
  client = await installPackedClient()
  folder = client.folder
})
afterAll(async () => {
  running?.kill()
  await client?.remove()
})

const environment = () => ({
  ...process.env,
  HAPAX_URL: harness.server.url,
  HAPAX_KEY: Object.values(harness.seller.key)[0],
})

it('has types of its own, which allow values of newer servers', async () => {
  await writeFile(
    join(folder, 'program.ts'),
    `import { createHapax, type Event, HapaxError, verifyWebhook } from '@hapax/client'
const hapax = createHapax({ baseUrl: 'http://127.0.0.1', apiKey: 'hpxk_x' })
export async function read(): Promise<string[]> {
  const skus: string[] = []
  for await (const item of hapax.pages('listInventory', { query: { state: 'available' } })) {
    if (item.record.lifecycle.state === 'a state of tomorrow') skus.push(item.sku ?? item.uid)
  }
  const event: Event = await verifyWebhook(['whsec_a', 'whsec_b'], new Headers(), '{}')
  if (event.type === 'an event of tomorrow') throw new HapaxError(500, null, null)
  // @ts-expect-error a misspelled operation
  await hapax.call('listInventary', {})
  // @ts-expect-error a member that is missing
  await hapax.call('createInventoryItem', { body: { title: 'x' } })
  return skus
}
`,
  )
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const options = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2024',
    '--lib',
    'es2024,dom,dom.iterable',
  ]
  const checked = await run(process.execPath, [tsc, ...options, 'program.ts'], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  )
  expect(checked.stdout).toBe('')
})

/** Runs the installed command line. */
const hapax = (args: string[], input = '', more: Record<string, string> = {}) => {
  const env = { ...environment(), ...more }
  const running = run(join(folder, 'node_modules/.bin/hapax'), args, { cwd: folder, env })
  running.child.stdin!.end(input)
  return running
}

it('works on the command line', async () => {
  const home = { XDG_CONFIG_HOME: folder, HAPAX_URL: '', HAPAX_KEY: '' }
  const key = Object.values(harness.seller.key)[0]!
  expect((await hapax(['login', harness.server.url], key, { XDG_CONFIG_HOME: folder })).stdout).toContain('Signed in')
  const uid = await harness.newItem({ title: 'A tin lantern', sku: 'CLI-1' })
  expect((await hapax(['items', 'tin', 'lantern'], '', home)).stdout).toBe(`${uid}\tCLI-1\tavailable\tA tin lantern\n`)
  await hapax(['export', 'cli.csv'], '', home)
  expect(await readFile(join(folder, 'cli.csv'), 'utf8')).toContain('"A tin lantern"')
  await writeFile(join(folder, 'change.csv'), `uid,title\n${uid},A brass lantern\n`)
  expect((await hapax(['import', 'change.csv'], '', home)).stdout).toContain('1 to change')
  expect(JSON.parse((await hapax(['item', uid], '', home)).stdout).record.title).toBe('A tin lantern')
  await hapax(['import', 'change.csv', '--yes'], '', home)
  expect(JSON.parse((await hapax(['item', uid], '', home)).stdout).record.title).toBe('A brass lantern')
  await expect(hapax(['item', 'inv_nothing'], '', home)).rejects.toMatchObject({ code: 1, stdout: '' })
  await hapax(['logout'], '', home)
  await expect(hapax(['items'], '', home)).rejects.toMatchObject({ stderr: 'Sign in first: hapax login URL\n' })
})

it('follows events on the command line', async () => {
  const tail = spawn(join(folder, 'node_modules/.bin/hapax'), ['events', '--after', '0'], { env: environment() })
  running = tail
  let printed = ''
  tail.stdout.on('data', (chunk) => (printed += chunk))
  const { body } = await harness.api('POST', '/api/v1/inventory/', {
    headers: harness.seller.key,
    body: {
      ...{ title: 'A pewter jug', images: ['https://pictures.example/1.jpg'], condition: { label: 'Used' } },
      offer: { price_minor: 900, currency: 'USD' },
    },
  })
  await until(() => printed.includes(body.uid))
  tail.kill()
})

it('serves tools for language models on the standard input', async () => {
  await harness.newItem({ title: 'A copper lantern' })
  const client = new Client({ name: 'test', version: '1' })
  const command = join(folder, 'node_modules/.bin/hapax')
  const env = environment() as Record<string, string>
  await client.connect(new StdioClientTransport({ command, args: ['mcp'], env }))
  try {
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('search_inventory')
    const { content } = await client.callTool({ name: 'search_inventory', arguments: { words: 'lantern' } })
    expect((content as { text: string }[])[0]!.text).toContain('A copper lantern')
  } finally {
    await client.close()
  }
})
