import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('..', import.meta.url))

export default defineConfig({
  root,
  test: {
    reporters: ['default'],
    projects: [
      {
        root,
        test: {
          name: 'server',
          include: ['shared/**/*.test.ts', 'server/**/*.test.ts'],
          globalSetup: ['server/testing/global-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
        },
      },
      {
        root,
        test: {
          name: 'extension',
          include: ['extension/**/*.test.ts', 'extension/**/*.test.tsx'],
          testTimeout: 30_000,
        },
      },
      {
        root,
        test: {
          name: 'browser',
          include: ['e2e/**/*.test.ts'],
          globalSetup: ['server/testing/global-setup.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
