import { mkdirSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'vite'
import { root } from './root.ts'

/** Builds the web app into the folder that the server serves at /app/; returns it. */
export async function buildWeb(): Promise<string> {
  const folder = join(root, 'extension', '.output', 'web')
  await build({ configFile: join(root, 'extension', 'web', 'vite.config.ts'), logLevel: 'error' })
  mkdirSync(join(folder, 'icon'), { recursive: true })
  await cp(join(root, 'extension', 'public', 'icon'), join(folder, 'icon'), { recursive: true })
  return folder
}

if (import.meta.main) process.stdout.write(`${await buildWeb()}\n`)
