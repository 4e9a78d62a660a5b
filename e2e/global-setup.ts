import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { buildExtension } from '../.tools/build-extension.ts'
import { buildWeb } from '../.tools/build-web.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the extension built for Chrome. */
    extension: string
  }
}

/** Builds the extension once for all browser tests and copies it, since `npm start` builds into the same folder. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'hapax-extension-'))
  await cp(await buildExtension('chrome'), folder, { recursive: true })
  project.provide('extension', folder)
  await buildWeb()
  return () => rm(folder, { recursive: true, force: true })
}
