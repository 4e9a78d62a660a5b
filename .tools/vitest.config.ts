import { availableParallelism, totalmem } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { suitesWithoutMaterial } from './real-material.ts'
import { root } from './root.ts'

/** Ends a test that hangs, even on the slowest machine. Benchmarks measure speed. */
const generousTimeouts = { testTimeout: 900_000, hookTimeout: 900_000, expect: { poll: { timeout: 180_000 } } }

/** Bytes of a worker with its share of PostgreSQL, and its browser if it has one. */
const workerBytes = 1.2 * 2 ** 30
const memoryBytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY)

/**
 * Two workers more than cores, since browser tests wait for half of their time: with one more, the suite took two minutes
 * longer on two cores. Fewer where memory is short.
 */
const maxWorkers = Math.max(1, Math.min(availableParallelism() + 2, Math.floor(memoryBytes / workerBytes)))

/**
 * Workers load each module once: a worker per file would spend a quarter of the run on starting. Tests undo their changes
 * to modules.
 */
const shared = { isolate: false }

/** Tests of the whole system that need no browser. */
const withoutBrowser = [
  'asvs-table',
  'documentation',
  'firefox',
  'full-disk',
  'manifest',
  'release',
  'run',
  'security-documents',
  'start',
  'structure',
  'third-party',
].map((name) => `e2e/${name}.test.ts`)

/**
 * Takes the projects one after the other, since a worker keeps its modules only within a project, and of each project the
 * slowest files of the last run first (the largest ones at the first run). A worker that finds no file of one project left
 * goes on with the next, so that none idles before the end.
 */
class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const order = this.ctx.projects.map(({ name }) => name)
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => order.indexOf(one.project.name) - order.indexOf(other.project.name))
  }
}

/** Has properties tried on the same values at every run. */
const fixedSeed = 'e2e/harness/campaigns/fixed-seed.ts'

/** Undoes what a file changed in its worker. */
const leaveNothing = 'e2e/harness/runner/leave-nothing.ts'

/** Tests of what tests share, and of the laboratories. */
const workshop = 'e2e/{harness,lab}/**/*.test.ts'

/** Races, kill points, timing and fuzz (e2e/harness/campaigns/campaign.ts). */
const campaigns = '**/*.campaign.test.ts'

export default defineConfig({
  root,
  // Keeps the durations of the last run, too.
  cacheDir: join(root, '.cache', 'vite'),
  test: {
    reporters: ['default'],
    fsModuleCachePath: join(root, '.cache', 'vitest'),
    sequence: { sequencer: SlowestFirst },
    maxWorkers,
    // In the order in which they run. The last one has the shortest files, so that all workers end together.
    projects: [
      {
        test: {
          name: 'build',
          include: withoutBrowser,
          ...generousTimeouts,
        },
      },
      {
        test: {
          name: 'campaigns',
          include: [`{server,extension,e2e}/${campaigns}`],
          globalSetup: ['e2e/harness/campaigns/draw-seed.ts', 'e2e/harness/runner/global-setup.ts'],
          ...generousTimeouts,
          ...shared,
          setupFiles: [
            fixedSeed,
            leaveNothing,
            'e2e/harness/runner/check-each-test.ts',
            'e2e/harness/runner/say-how-to-repeat.ts',
          ],
        },
      },
      {
        test: {
          name: 'server',
          include: ['shared/**/*.test.ts', 'server/**/*.test.ts', workshop],
          exclude: [campaigns, ...suitesWithoutMaterial],
          globalSetup: ['e2e/harness/runner/global-setup.ts'],
          ...generousTimeouts,
          ...shared,
          setupFiles: [fixedSeed, leaveNothing, 'e2e/harness/runner/check-each-test.ts'],
        },
      },
      {
        test: {
          name: 'browser',
          include: ['e2e/**/*.test.ts'],
          exclude: [...withoutBrowser, workshop, campaigns],
          globalSetup: ['e2e/harness/runner/global-setup.ts', 'e2e/global-setup.ts'],
          ...generousTimeouts,
          // The files of a worker share one browser.
          ...shared,
          setupFiles: [fixedSeed, leaveNothing, 'e2e/check-builds.ts', 'e2e/harness/runner/check-each-test.ts'],
          runner: 'e2e/skip-without-browser.ts',
        },
      },
      {
        test: {
          name: 'extension',
          include: ['extension/**/*.test.ts', 'extension/**/*.test.tsx'],
          exclude: [campaigns, ...suitesWithoutMaterial],
          ...generousTimeouts,
          ...shared,
          // Before any file loads Dexie, which looks for a database once.
          setupFiles: ['fake-indexeddb/auto', fixedSeed, leaveNothing],
        },
      },
    ],
  },
})
