import { inject, type RunnerTask, type RunnerTestFile, TestRunner, type VitestTestRunner } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** Why a test is skipped. */
    skipped?: string
  }
}

/** Skips every test on a machine without a browser, so that they are counted and everything else still runs. */
export default class SkipWithoutBrowser extends TestRunner implements VitestTestRunner {
  declare onTaskUpdate: VitestTestRunner['onTaskUpdate']

  async onCollected(files: RunnerTestFile[]): Promise<void> {
    const why = inject('missingBrowser')
    if (!why) return
    const skipped = files.flatMap((file) => skip(file, why))
    // The run has got the tests as they were collected.
    await this.onTaskUpdate?.(
      skipped.map((task) => [task.id, task.result, task.meta]),
      [],
    )
  }
}

function skip(task: RunnerTask, why: string): RunnerTask[] {
  task.mode = 'skip'
  task.result = { state: 'skip' }
  task.meta.skipped = why
  return [task, ...('tasks' in task ? task.tasks.flatMap((inner) => skip(inner, why)) : [])]
}
