/** Prints one line per step and counts the outcomes. */
export interface Report {
  /** Runs a step and returns its value, or null if it failed. `detail` describes a success. */
  step<Value>(name: string, run: () => Promise<Value>, detail?: (value: Value) => string): Promise<Value | null>
  /** Prints what a skipped step needs. */
  skip(name: string, needs: string): void
  /** Prints what a person has to do next for a service. */
  next(service: string, what: string): void
  /** Whether a step went well; null if it did not run. */
  wentWell(name: string): boolean | null
  /** Whether a step of a service failed. */
  hasFailed(service: string): boolean
  /** 0: every step that ran went well; 1: one failed; 2: none ran. */
  exitCode(): 0 | 1 | 2
}

/** Longest text after the name of a step. */
const maxLength = 400

/** Writes a report line by line and redacts `secrets`. */
export function createReport(write: (line: string) => void, secrets: readonly string[]): Report {
  const outcomes = new Map<string, boolean>()
  const all = () => [...outcomes.values()]
  const line = (outcome: string, name: string, more: string) => {
    write(`${outcome.padEnd(9)}${name}${more === '' ? '' : `: ${plain(more)}`}`)
  }
  const plain = (text: string) => {
    let shown = text
    for (const secret of secrets) shown = shown.replaceAll(secret, '[secret]')
    return shown.replace(/\s+/g, ' ').trim().slice(0, maxLength)
  }
  return {
    async step(name, run, detail = () => '') {
      try {
        const value = await run()
        outcomes.set(name, true)
        line('ok', name, detail(value))
        return value
      } catch (error) {
        outcomes.set(name, false)
        line('failed', name, error instanceof Error ? error.message : String(error))
        return null
      }
    },
    skip: (name, needs) => line('skipped', name, needs),
    next: (service, what) => line('next', service, what),
    wentWell: (name) => outcomes.get(name) ?? null,
    hasFailed: (service) => [...outcomes].some(([name, isGood]) => !isGood && name.startsWith(`${service}:`)),
    exitCode() {
      if (all().includes(false)) return 1
      return all().length > 0 ? 0 : 2
    },
  }
}
