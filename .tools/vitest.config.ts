import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './longest-first.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** A limit for what hangs, far beyond the slowest machine: how quick something is, the benchmarks say. */
const generousTimeouts = { testTimeout: 180_000, hookTimeout: 180_000, expect: { poll: { timeout: 90_000 } } }

/**
 * Two workers that load each module once: a worker per file would spend a quarter of the run on starting. Tests undo
 * their changes to modules.
 */
const shared = { maxWorkers: 2, isolate: false }

/** These build the extension into the one folder for it, and so take turns. */
const alone = ['e2e/manifest.test.ts', 'e2e/run.test.ts', 'e2e/start.test.ts', 'e2e/firefox.test.ts']

export default defineConfig({
  root,
  test: {
    reporters: ['default'],
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        root,
        test: {
          name: 'server',
          include: ['shared/**/*.test.ts', 'server/**/*.test.ts'],
          globalSetup: ['server/testing/global-setup.ts'],
          ...generousTimeouts,
          ...shared,
          setupFiles: ['server/testing/check-each-test.ts'],
        },
      },
      {
        root,
        test: {
          name: 'extension',
          include: ['extension/**/*.test.ts', 'extension/**/*.test.tsx'],
          ...generousTimeouts,
          ...shared,
          sequence: { groupOrder: 1 },
        },
      },
      {
        root,
        test: {
          name: 'browser',
          include: ['e2e/**/*.test.ts'],
          exclude: alone,
          globalSetup: ['server/testing/global-setup.ts', 'e2e/global-setup.ts'],
          ...generousTimeouts,
          setupFiles: ['server/testing/check-each-test.ts'],
          // One browser leaves half of a small machine idle.
          maxWorkers: 2,
          sequence: { groupOrder: 2 },
        },
      },
      {
        root,
        test: {
          name: 'build',
          include: alone,
          ...generousTimeouts,
          fileParallelism: false,
          sequence: { groupOrder: 3 },
        },
      },
    ],
  },
})
