import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { documentedApis } from '../documents/calls.ts'
import { readKept } from '../documents/keep.ts'
import { checkDocuments } from './documents.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hapax-documents-'))
})
afterEach(() => rm(folder, { recursive: true }))

/** Returns a whole document that contains the kept parts. */
function published(change: (text: string) => string = (text) => text): string {
  const { basePath } = documentedApis['ebay-taxonomy']
  const { paths, components, operations } = readKept('ebay-taxonomy')
  const own = Object.entries(paths).map(([path, methods]) => [path.slice(basePath.length), methods])
  const others = operations.map((operationId) => [`/other/${operationId}`, { get: { operationId } }])
  const known = new Set(Object.keys(documentedApis['ebay-taxonomy'].calls))
  const rest = others.filter(([path]) => !known.has(String(path).slice('/other/'.length)))
  const document = {
    openapi: '3.0.0',
    info: { version: 'v9' },
    paths: Object.fromEntries([...own, ...rest]),
    components,
  }
  return change(JSON.stringify(document))
}

async function fileWith(text: string): Promise<string> {
  const file = join(folder, 'newer')
  await writeFile(file, text)
  return file
}

const check = async (...args: string[]) => checkDocuments(['--document', 'ebay-taxonomy', ...args])

describe('npm run lab -- documents', () => {
  it('exits with 0 for an equal file', async () => {
    expect(await check('--file', await fileWith(published()))).toEqual({
      exitCode: 0,
      lines: ['ebay-taxonomy: version v1.0.0 is kept, v9 was compared: 0 changes of what is used, 0 others.'],
    })
  })

  it('exits with 1 and lists the changes of used parts', async () => {
    const text = published((text) => text.replaceAll('localizedAspectName', 'aspectName'))
    expect(await check('--file', await fileWith(text))).toEqual({
      exitCode: 1,
      lines: [
        'used   getItemAspectsForCategory: the answer no longer has aspects[].localizedAspectName',
        'ebay-taxonomy: version v1.0.0 is kept, v9 was compared: 1 changes of what is used, 0 others.',
      ],
    })
  })

  it('downloads a newer document', async () => {
    const server = createServer((request, response) => {
      response.writeHead(request.url === '/newer.json' ? 200 : 404).end(published())
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    try {
      expect(await check('--url', `${url}/newer.json`)).toMatchObject({ exitCode: 0 })
      await expect(check('--url', `${url}/gone.json`)).rejects.toThrow('HTTP 404')
    } finally {
      await new Promise((resolve) => server.close(resolve))
    }
  })

  it('compares the schema of the Trading API', async () => {
    const xsd = `<!-- Version 1400 --><xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">
      <xs:complexType name="GetItemRequestType"><xs:complexContent><xs:extension base="ns:AbstractRequestType">
        <xs:sequence><xs:element name="ItemID" type="ns:ItemIDType"/></xs:sequence>
      </xs:extension></xs:complexContent></xs:complexType></xs:schema>`
    const { exitCode, lines } = await checkDocuments(['--document', 'ebay-trading', '--file', await fileWith(xsd)])
    expect(exitCode).toBe(1)
    expect(lines).toContain('used   GetItem: IncludeItemSpecifics was removed from the request')
    expect(lines).toContain('used   EndItem: the call was removed')
    expect(lines.at(-1)).toContain('1400 was compared')
  })

  it.each([
    ['no JSON', 'ebay-taxonomy', '<html>', 'no JSON'],
    ['no document', 'ebay-taxonomy', '{}', 'info'],
    ['no schema', 'ebay-trading', '<html></html>', 'no schema of the Trading API'],
  ])('throws for %s', async (_name, document, text, message) => {
    await expect(checkDocuments(['--document', document, '--file', await fileWith(text)])).rejects.toThrow(message)
  })

  it.each([[[]], [['--document', 'shopify', '--file', 'x']], [['--document', 'etsy']]])(
    'shows its usage for %j',
    async (args) => {
      const { exitCode, lines } = await checkDocuments(args)
      expect(exitCode).toBe(2)
      expect(lines.join()).toContain('npm run lab -- documents --document etsy --file newer.json')
    },
  )
})
