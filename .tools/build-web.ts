import { mkdirSync } from 'node:fs'
import { cp, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { build } from 'vite'
import { root } from './root.ts'

/** Builds the web app into the folder that the server serves at /app/; returns it. */
export async function buildWeb(): Promise<string> {
  const folder = join(root, 'extension', '.output', 'web')
  await build({ configFile: join(root, 'extension', 'web', 'vite.config.ts'), logLevel: 'error' })
  mkdirSync(join(folder, 'icon'), { recursive: true })
  await cp(join(root, 'extension', 'public', 'icon'), join(folder, 'icon'), { recursive: true })
  await packReference()
  return folder
}

/**
 * Copies Scalar's API reference, plain and compressed, for the server at /docs. The package stays a development
 * dependency: its bundle is complete, and its own dependencies are 280 MB.
 */
async function packReference(): Promise<void> {
  const folder = join(root, 'extension', '.output', 'reference')
  const bundle = join(root, 'node_modules', '@scalar', 'api-reference', 'dist', 'browser', 'standalone.js')
  mkdirSync(folder, { recursive: true })
  const script = await readFile(bundle)
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
  await writeFile(join(folder, 'scalar.js'), script)
  await writeFile(join(folder, 'scalar.js.br'), await promisify(brotliCompress)(script, { params }))
}

if (import.meta.main) process.stdout.write(`${await buildWeb()}\n`)
