/** The server's own stop. */
export interface AtStop {
  /** Aborts before the server waits for its open answers: for answers that have no end of their own. */
  signal: AbortSignal
  /** Adds a step that runs before the database is closed, such as writing what was gathered in memory. */
  add(step: () => Promise<void>): void
  /** Aborts the signal. */
  begin(): void
  /** Runs each step once. A step that fails does not keep the others from running. */
  run(): Promise<void>
}

/** Creates a stop without steps. */
export function createAtStop(): AtStop {
  const stopping = new AbortController()
  const steps: (() => Promise<void>)[] = []
  return {
    signal: stopping.signal,
    add: (step) => void steps.push(step),
    begin: () => stopping.abort(),
    async run() {
      stopping.abort()
      const results = await Promise.allSettled(steps.splice(0).map((step) => step()))
      const failures = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason)
      if (failures.length > 0) throw new AggregateError(failures, 'not everything could be written at the stop')
    },
  }
}
