import { mkdirSync } from 'node:fs'
import { cp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { build } from 'vite'
import { root } from './root.ts'

/**
 * Builds the web app into the folder that the server serves at /app/; returns it. The folder appears whole: a server
 * that already runs would keep a half-built one in memory.
 */
export async function buildWeb(): Promise<string> {
  const folder = join(root, 'extension', '.output', 'web')
  const unfinished = `${folder}.unfinished`
  await rm(folder, { recursive: true, force: true })
  await build({
    configFile: join(root, 'extension', 'web', 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir: unfinished },
  })
  await cp(join(root, 'extension', 'public', 'icon'), join(unfinished, 'icon'), { recursive: true })
  await rename(unfinished, folder)
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
