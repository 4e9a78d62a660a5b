import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { buildExtension, buildWebApart } from '#tools/build-extension.ts'
import { memoryFolder } from '#tools/memory-folder.ts'
import { findChromium } from './browser.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Folder of the extension built for Chrome. */
    extension: string
    /** Why there is no browser; empty where there is one. */
    missingBrowser: string
    /** The output of a build that failed; empty if none did. */
    failedBuild: string
  }
}

/**
 * Finds the browser, and builds the extension and the web app unless they are built already. Does not throw, since that would
 * end the run of every project: tests of this one report what is missing.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'hapax-extension-'))
  project.provide('extension', folder)
  const [missingBrowser, failedBuild] = await Promise.all([messageOf(useChromium()), messageOf(buildInto(folder))])
  project.provide('missingBrowser', missingBrowser)
  project.provide('failedBuild', failedBuild)
  return () => rm(folder, { recursive: true, force: true })
}

/** Lets all workers use the browser that is found or downloaded here, with profiles in memory. */
async function useChromium(): Promise<void> {
  process.env.CHROMIUM_PATH = await findChromium()
  process.env.PUPPETEER_TMP_DIR ??= memoryFolder()
}

/** Copies the extension, since another run may build it anew. `npm start` has one of its own. */
async function buildInto(folder: string): Promise<void> {
  const [built] = await Promise.all([buildExtension('chrome', { output: '.cache/builds' }), buildWebApart()])
  await cp(built, folder, { recursive: true })
}

const messageOf = (work: Promise<unknown>) =>
  work.then(
    () => '',
    (error: Error) => error.message,
  )
