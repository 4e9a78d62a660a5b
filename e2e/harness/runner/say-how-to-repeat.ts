import { relative } from 'node:path'
import { beforeEach } from 'vitest'
import { commandToRepeat } from '../campaigns/campaign.ts'

// The failure of a campaign names the command that repeats it, since the next whole campaign draws another seed.
beforeEach(({ onTestFailed }) => {
  onTestFailed(({ task }) => {
    const [error] = task.result?.errors ?? []
    if (!error) return
    const { message } = error
    error.message = `${message}\nRepeat it: ${commandToRepeat(relative(process.cwd(), task.file.filepath))}`
    // Reporters print one or the other.
    error.stack = error.stack?.replace(message, () => error.message)
  })
})
