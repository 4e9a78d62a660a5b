import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Opens the file that a stand-in's state outlives a restart in; without a path the state is lost at the end. Throws
 * for a file that cannot be read instead of overwriting it.
 */
export function openStateFile<State extends object>(path: string | undefined, empty: State) {
  const state = { ...empty, ...readState<State>(path) }

  // Written beside and renamed, so that a kill leaves the old state or the new one.
  function save(): void {
    if (!path) return
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(`${path}.new`, JSON.stringify(state), { mode: 0o600 })
    renameSync(`${path}.new`, path)
  }

  return {
    state,
    save,
    /** Returns a listener that saves one part of the state. */
    saver:
      <Part extends keyof State>(part: Part) =>
      (value: State[Part]): void => {
        state[part] = value
        save()
      },
  }
}

function readState<State>(path: string | undefined): Partial<State> {
  if (!path) return {}
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Partial<State>
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return {}
    throw new Error(`The sandbox's state in ${path} cannot be read; delete it to start afresh.`, { cause })
  }
}
