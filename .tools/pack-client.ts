import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeOperations } from '#shared/client/describe-types.ts'
import { operations } from '#shared/client/operations.ts'
import { root } from './root.ts'

/**
 * `npm run pack:client [folder]`: writes the client as an npm package without dependencies and prints the file. Node runs no
 * TypeScript of packages, so the types are taken out of the code, and declared from the contract.
 */
const target = process.argv[2] ?? join(root, '.cache')
const { version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const read = (name: string) => readFileSync(join(root, 'shared/client', name), 'utf8')
const importJs = (code: string) => code.replaceAll(/(from '\.\/[a-z-]+)\.ts'/g, "$1.js'")

const folder = mkdtempSync(join(tmpdir(), 'hapax-pack-'))
mkdirSync(target, { recursive: true })
const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
for (const name of ['index', 'client', 'send', 'error', 'verify-webhook', 'cli']) {
  write(`${name}.js`, importJs(stripTypeScriptTypes(read(`${name}.ts`))))
}
write('operations.js', `export const operations = ${JSON.stringify(operations)}\n`)
write('operations.d.ts', describeOperations())
write('types.d.ts', importJs(read('types.ts')))
write(
  'index.d.ts',
  `import type * as types from './types.js'
export type { Event, OperationId, Operations } from './operations.js'
export type { Hapax, HapaxAnswer, HapaxEntry, HapaxOptions, HapaxRequest } from './types.js'
export declare const createHapax: types.CreateHapax
export declare const HapaxError: types.HapaxErrorConstructor
export type HapaxError = types.HapaxError
export declare const verifyWebhook: types.VerifyWebhook
`,
)
write(
  'package.json',
  JSON.stringify({
    name: '@hapax/client',
    version,
    description: 'Calls the API of Hapax and verifies its webhooks.',
    license,
    type: 'module',
    engines: { node: '>=20' },
    bin: { hapax: './cli.js' },
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
  }),
)
const packed = execFileSync('npm', ['pack', '--silent', '--offline', '--pack-destination', target], { cwd: folder })
rmSync(folder, { recursive: true })
console.log(join(target, packed.toString().trim()))
