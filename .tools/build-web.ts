import { mkdirSync } from 'node:fs'
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { build } from 'vite'
import { putInPlace } from './put-in-place.ts'
import { root } from './root.ts'

/**
 * Builds the web app into the folder that the server serves at /app/, each file plain and compressed; returns the folder.
 * It appears whole, and the one of an earlier build stays until then: a server may be reading it.
 */
async function buildWeb(): Promise<string> {
  const folder = join(root, 'extension', '.output', 'web')
  const unfinished = `${folder}.unfinished`
  await rm(unfinished, { recursive: true, force: true })
  await build({
    configFile: join(root, 'extension', 'app', 'web', 'vite.config.ts'),
    // A bundle of it would be written into the packages, which may belong to another user.
    configLoader: 'native',
    logLevel: 'error',
    build: { outDir: unfinished },
  })
  await cp(join(root, 'extension', 'public', 'icon'), join(unfinished, 'icon'), { recursive: true })
  for (const name of await readdir(unfinished, { recursive: true })) {
    if (/\.(css|html|js|svg|webmanifest)$/.test(name)) await compress(join(unfinished, name))
  }
  await putInPlace(unfinished, folder)
  await packReference()
  return folder
}

/**
 * Copies Swagger UI, plain and compressed, for the server at /docs. The package stays a development dependency.
 */
async function packReference(): Promise<void> {
  const folder = join(root, 'extension', '.output', 'reference')
  const unfinished = `${folder}.unfinished`
  mkdirSync(unfinished, { recursive: true })
  for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css']) {
    await cp(join(root, 'node_modules', 'swagger-ui-dist', name), join(unfinished, name))
    await compress(join(unfinished, name), 9)
  }
  await putInPlace(unfinished, folder)
}

/** Writes the file's compressed form beside it, with the ending `.br`. */
async function compress(file: string, quality = constants.BROTLI_MAX_QUALITY): Promise<void> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: quality }
  await writeFile(`${file}.br`, await promisify(brotliCompress)(await readFile(file), { params }))
}

if (import.meta.main) process.stdout.write(`${await buildWeb()}\n`)
